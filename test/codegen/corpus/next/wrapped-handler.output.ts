import { withAuth } from '@/lib/auth';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import { NextResponse } from 'next/server';

const POST_impl = withAuth(async (request: Request) => {
  const body = (await request.json()) as { prompt: string; steps?: number };
  return Response.json({ done: body.prompt });
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
const POST_contexts = new WeakMap<object, unknown>();
const POST_paid = withX402(
  async (request) => {
    type Handler = (...given: unknown[]) => Promise<Response>;
    const handler = POST_impl as unknown as Handler;
    const context = POST_contexts.get(request);
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
    description: 'POST /api/render/[id]',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['render'],
    extensions: declareDiscoveryExtension({
      // TODO: real values
      input: { prompt: 'prompt', steps: 1 },
      inputSchema: {
        properties: {
          prompt: { type: 'string' },
          steps: { type: 'number' },
        },
        required: ['prompt'],
      },
      pathParamsSchema: {
        properties: {
          id: { type: 'string' },
        },
      },
      bodyType: 'json',
      // TODO: real values for what is known at run time only
      output: { example: { done: 'prompt' } },
    }),
  },
  paymentServer,
);
export const POST = (
  request: Parameters<typeof POST_paid>[0],
  context: unknown,
) => {
  POST_contexts.set(request, context);
  return POST_paid(request);
};
// svc-x402: end of payments
