import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { withX402, x402ResourceServer } from '@x402/next';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import { NextResponse } from 'next/server';

async function DELETE_impl(
  request: Request,
  context: { params: Promise<{ deviceId: string }> },
) {
  const { deviceId } = await context.params;
  return Response.json({ revoked: deviceId });
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
const DELETE_contexts = new WeakMap<
  object,
  Parameters<typeof DELETE_impl>[1]
>();
const DELETE_paid = withX402(
  async (request) => {
    const context = DELETE_contexts.get(request) as Parameters<
      typeof DELETE_impl
    >[1];
    const response = await DELETE_impl(request, context);
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
    description: 'DELETE /api/devices/[deviceId]',
    mimeType: 'application/json',
    serviceName: 'demo-api',
    tags: ['devices'],
    extensions: declareDiscoveryExtension({
      pathParamsSchema: {
        properties: {
          deviceId: { type: 'string' },
        },
      },
      // TODO: real values for what is known at run time only
      output: { example: { revoked: 'deviceId' } },
    }),
  },
  paymentServer,
);
export const DELETE = (
  request: Parameters<typeof DELETE_paid>[0],
  context: Parameters<typeof DELETE_impl>[1],
) => {
  DELETE_contexts.set(request, context);
  return DELETE_paid(request);
};
// svc-x402: end of payments
