import { NextResponse } from 'next/server';

export async function GET(request: Request): Promise<NextResponse | undefined> {
  try {
    return NextResponse.json({ url: request.url });
  } catch (error) {
    console.error(error);
  }
}
