export async function DELETE(
  request: Request,
  context: { params: Promise<{ deviceId: string }> },
) {
  const { deviceId } = await context.params;
  return Response.json({ revoked: deviceId });
}
