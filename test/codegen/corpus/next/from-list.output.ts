import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import { NextResponse } from 'next/server';

// svc-x402: paid below: export { GET, POST, runtime } from '@/handlers/reports';
export { runtime } from '@/handlers/reports';

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

import { GET as GET_impl } from '@/handlers/reports';
export const GET = withX402(
  async (request) => {
    type Handler = (...given: unknown[]) => Promise<Response>;
    const handler = GET_impl as unknown as Handler;
    const response = await handler(request);
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
    description: 'GET /api/from-list',
    serviceName: 'demo-api',
    tags: ['from-list'],
    extensions: declareDiscoveryExtension({
      // TODO: examples of the query parameters, and their types; remove both if there are none
      input: {},
      inputSchema: { properties: {} },
      // TODO: an example of the answer
      output: { example: {} },
    }),
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
export const HEAD = () => new Response(null, { status: 200 });

import { POST as POST_impl } from '@/handlers/reports';
export const POST = withX402(
  async (request) => {
    type Handler = (...given: unknown[]) => Promise<Response>;
    const handler = POST_impl as unknown as Handler;
    const response = await handler(request);
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
    description: 'POST /api/from-list',
    serviceName: 'demo-api',
    tags: ['from-list'],
    extensions: declareDiscoveryExtension({
      // TODO: an example of the body, and its properties
      input: {},
      inputSchema: { properties: {} },
      bodyType: 'json',
      // TODO: an example of the answer
      output: { example: {} },
    }),
  },
  paymentServer,
);
// svc-x402: end of payments
