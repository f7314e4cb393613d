export async function POST(request: Request) {
  const { name } = await request.json();
  if (typeof name === 'string') {
    return Response.json({ hello: name });
  }
}
