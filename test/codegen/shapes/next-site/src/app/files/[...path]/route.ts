export function GET(request: Request): Response {
  return new Response(new URL(request.url).pathname);
}
