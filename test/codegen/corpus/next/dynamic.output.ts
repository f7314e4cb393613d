import { type NextRequest, NextResponse } from 'next/server';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

async function GET_impl(
  request: NextRequest,
  { params }: { params: Promise<{ city: string }> },
) {
  const { city } = await params;
  const units = request.nextUrl.searchParams.get('units') ?? 'metric';
  return NextResponse.json({ city, units, tempC: 19 });
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

// withX402 hands on the request alone, so the context waits here for it.
const GET_contexts = new WeakMap<object, Parameters<typeof GET_impl>[1]>();
const GET_paid = withX402(
  async (request) => {
    const context = GET_contexts.get(request) as Parameters<typeof GET_impl>[1];
    return GET_impl(request, context);
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
    description: 'GET /api/weather/[city]',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['weather'],
    extensions: declareDiscoveryExtension({
      input: { units: 'metric' },
      inputSchema: {
        properties: {
          units: { type: 'string', default: 'metric' },
        },
      },
      pathParamsSchema: {
        properties: {
          city: { type: 'string' },
        },
      },
      // TODO: real values for what is known at run time only
      output: { example: { city: 'city', units: 'metric', tempC: 19 } },
    }),
  },
  paymentServer,
);
export const GET = (
  request: Parameters<typeof GET_paid>[0],
  context: Parameters<typeof GET_impl>[1],
) => {
  GET_contexts.set(request, context);
  return GET_paid(request);
};
// HEAD asks for no payment, so it is answered without the handler.
export const HEAD = () => new Response(null, { status: 200 });
// svc-x402: end of payments
