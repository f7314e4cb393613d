import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import { NextResponse } from 'next/server';

async function POST_impl(request: Request) {
  const { text } = await request.json();
  return Response.json({ length: text.length });
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
  async (request) => {
    const response = await POST_impl(request);
    return new NextResponse(response.body, response);
  },
  {
    accepts: {
      scheme: 'exact',
      price: '$0.01',
      network: 'stellar:testnet',
      payTo: PAYMENT_CONFIG.payToAddress,
      maxTimeoutSeconds: 60,
    },
    // TODO: say what a buyer gets
    description: 'POST /api/response-json',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['response-json'],
    extensions: declareDiscoveryExtension({
      // TODO: real values, and the types below that the code does not show
      input: { text: 'text' },
      inputSchema: {
        properties: {
          text: {},
        },
      },
      bodyType: 'json',
      // TODO: real values for what is known at run time only
      output: { example: { length: 1 } },
    }),
  },
  paymentServer,
);
// svc-x402: end of payments
