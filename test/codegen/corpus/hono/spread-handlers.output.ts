import { createFactory } from 'hono/factory';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import {
  paymentMiddlewareFromHTTPServer,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/hono';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const factory = createFactory();
const userRoute = factory.createApp();

const me = factory.createHandlers(async (c) => c.json({ name: 'Ada' }));

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

// The router has matched the route, so its payment is asked for however its path is written.
const forRoute = (
  routes: ConstructorParameters<typeof x402HTTPResourceServer>[1],
) => {
  const [key = ''] = Object.keys(routes);
  const verb = key.slice(0, key.indexOf(' '));
  const path = key.slice(key.indexOf(' ') + 1);
  const http = new x402HTTPResourceServer(paymentServer, routes);
  const ask = http.processHTTPRequest.bind(http);
  http.requiresPayment = ({ method }) => [method, '*'].includes(verb);
  http.processHTTPRequest = (request, paywall) => {
    return ask({ ...request, path }, paywall);
  };
  return paymentMiddlewareFromHTTPServer(http);
};

userRoute.get(
  '/me',
  forRoute({
    'GET /me': {
      accepts: {
        scheme: 'exact',
        price: '$0.01',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      // TODO: say what a buyer gets
      description: 'GET /me',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['me'],
      extensions: declareDiscoveryExtension({
        // TODO: an example of the answer
        output: { example: {} },
      }),
    },
  }),
);
// HEAD asks for no payment, so it is answered without the handler.
userRoute.get('/me', async (c: any, next: any) => {
  if (c.req.method === 'HEAD') return c.body(null);
  await next();
});
// svc-x402: end of payments

userRoute.get('/me', ...me);

export { userRoute };
