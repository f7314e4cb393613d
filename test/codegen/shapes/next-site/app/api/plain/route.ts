import { NextResponse } from 'next/server';

export async function GET() {
	return NextResponse.json({ plain: true });
}

export async function POST(request: Request) {
	return NextResponse.json(await request.json());
}
