import { withX402, type x402ResourceServer } from '@x402/next';
import { NextResponse } from 'next/server';

declare const server: x402ResourceServer;
const handler = async () => NextResponse.json({ ok: true });

export const GET = withX402(handler, { accepts: [] }, server);
