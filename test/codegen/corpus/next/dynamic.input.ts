import { type NextRequest, NextResponse } from 'next/server';

export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ city: string }> },
) {
  const { city } = await params;
  const units = request.nextUrl.searchParams.get('units') ?? 'metric';
  return NextResponse.json({ city, units, tempC: 19 });
}
