import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
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

const app = new Hono();

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

app.get(
  '/forecast/:city',
  forRoute({
    'GET /forecast/:city': {
      accepts: {
        scheme: 'exact',
        price: '$0.01',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      // TODO: say what a buyer gets
      description: 'GET /forecast/:city',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['forecast'],
      extensions: declareDiscoveryExtension({
        pathParamsSchema: {
          properties: {
            city: { type: 'string' },
          },
        },
        // TODO: an example of the answer
        output: { example: {} },
      }),
    },
  }),
);
// HEAD asks for no payment, so it is answered without the handler.
app.get('/forecast/:city', async (c, next) => {
  if (c.req.method === 'HEAD') return c.body(null);
  await next();
});
// svc-x402: end of payments

app.get(
  '/forecast/:city',
  describeRoute({
    ...{
      'x-payment-info': {
        price: { mode: 'fixed', currency: 'USD', amount: '0.01' },
        protocols: [{ x402: {} }],
      },
    },
    description: 'The weather of tomorrow',
    responses: {
      402: { description: 'Payment required (x402)' },
      200: { description: 'The forecast' },
    },
  }),
  (c) => c.json({ city: c.req.param('city'), high: 21 }),
);

export default app;
