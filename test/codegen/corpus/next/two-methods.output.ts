import { NextResponse } from 'next/server';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

async function GET_impl() {
  return NextResponse.json({ items: [] });
}

async function POST_impl(request: Request) {
  const { name } = (await request.json()) as { name: string };
  return NextResponse.json({ name }, { status: 201 });
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

export const GET = withX402(
  GET_impl,
  {
    accepts: {
      scheme: 'exact',
      price: '$0.01',
      network: 'stellar:testnet',
      payTo: PAYMENT_CONFIG.payToAddress,
      maxTimeoutSeconds: 60,
    },
    // TODO: say what a buyer gets
    description: 'GET /api/two-methods',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['two-methods'],
    extensions: declareDiscoveryExtension({
      output: { example: { items: [] } },
    }),
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
export const HEAD = () => new Response(null, { status: 200 });

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
    description: 'POST /api/two-methods',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['two-methods'],
    extensions: declareDiscoveryExtension({
      // TODO: real values
      input: { name: 'name' },
      inputSchema: {
        properties: {
          name: { type: 'string' },
        },
        required: ['name'],
      },
      bodyType: 'json',
      // TODO: real values for what is known at run time only
      output: { example: { name: 'name' } },
    }),
  },
  paymentServer,
);
// svc-x402: end of payments
