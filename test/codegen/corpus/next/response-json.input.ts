export async function POST(request: Request) {
  const { text } = await request.json();
  return Response.json({ length: text.length });
}
