import { NextResponse } from 'next/server';

const handler = async () => NextResponse.json({ ok: true });

export { handler as GET };
