import { NextResponse } from 'next/server';
import { z } from 'zod';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const Body = z.object({
  url: z.string().url(),
  depth: z.number().int().min(1).max(3).optional(),
});

export const maxDuration = 60;

async function POST_impl(request: Request): Promise<NextResponse> {
  const parsed = Body.parse(await request.json());
  return NextResponse.json({ url: parsed.url, pages: 12 });
}

// svc-x402: payments
const PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
};
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
});
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

export const POST = withX402(
  POST_impl,
  {
    accepts: {
      scheme: 'exact',
      price: '$0.01',
      network: 'stellar:testnet',
      payTo: PAYMENT_CONFIG.payToAddress,
      maxTimeoutSeconds: 60,
    },
    // TODO: say what a buyer gets
    description: 'POST /api/zod-body',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['zod-body'],
    extensions: declareDiscoveryExtension({
      input: { url: 'https://example.com', depth: 1 },
      inputSchema: {
        properties: {
          url: { type: 'string', format: 'uri' },
          depth: { type: 'integer', minimum: 1, maximum: 3 },
        },
        required: ['url'],
      },
      bodyType: 'json',
      // TODO: real values for what is known at run time only
      output: { example: { url: 'https://example.com', pages: 12 } },
    }),
  },
  paymentServer,
);
// svc-x402: end of payments
