import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import { NextResponse } from 'next/server';

type Handler = (request: Request) => Promise<Response>;

function withLogging(handler: Handler): Handler {
  return async (request) => {
    console.log(request.url);
    return handler(request);
  };
}

const GET_impl = withLogging(async (request) => {
  return Response.json({ url: request.url });
});

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
const GET_contexts = new WeakMap<object, unknown>();
const GET_paid = withX402(
  async (request) => {
    type Handler = (...given: unknown[]) => Promise<Response>;
    const handler = GET_impl as unknown as Handler;
    const context = GET_contexts.get(request);
    const response = await handler(request, context);
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
    description: 'GET /api/logs/[id]',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['logs'],
    extensions: declareDiscoveryExtension({
      pathParamsSchema: {
        properties: {
          id: { type: 'string' },
        },
      },
      // TODO: real values for what is known at run time only
      output: { example: { url: null } },
    }),
  },
  paymentServer,
);
export const GET = (
  request: Parameters<typeof GET_paid>[0],
  context: unknown,
) => {
  GET_contexts.set(request, context);
  return GET_paid(request);
};
// HEAD asks for no payment, so it is answered without the handler.
export const HEAD = () => new Response(null, { status: 200 });
// svc-x402: end of payments
