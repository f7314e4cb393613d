import { NextResponse } from 'next/server';
import { z } from 'zod';

const Body = z.object({
  url: z.string().url(),
  depth: z.number().int().min(1).max(3).optional(),
});

export const maxDuration = 60;

export async function POST(request: Request): Promise<NextResponse> {
  const parsed = Body.parse(await request.json());
  return NextResponse.json({ url: parsed.url, pages: 12 });
}
