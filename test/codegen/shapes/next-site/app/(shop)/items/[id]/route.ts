import type { NextRequest } from 'next/server';

type Context = { params: Promise<{ id: string }> };

export const GET = async (_request: NextRequest, { params }: Context) => {
  const { id } = await params;
  return Response.json({ id });
};
