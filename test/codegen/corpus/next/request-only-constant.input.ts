type Handler = (request: Request) => Promise<Response>;

function withLogging(handler: Handler): Handler {
  return async (request) => {
    console.log(request.url);
    return handler(request);
  };
}

export const GET = withLogging(async (request) => {
  return Response.json({ url: request.url });
});
