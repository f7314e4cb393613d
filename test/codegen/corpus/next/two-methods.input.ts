import { NextResponse } from 'next/server';

export async function GET() {
  return NextResponse.json({ items: [] });
}

export async function POST(request: Request) {
  const { name } = (await request.json()) as { name: string };
  return NextResponse.json({ name }, { status: 201 });
}
