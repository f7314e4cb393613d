import { Hono } from 'hono';
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
// svc-x402: end of payments

const app = new Hono()
  .get('/books', (c) => c.json([{ isbn: '12' }]))
  // svc-x402: payments
  .use(
    '/books',
    forRoute({
      'POST /books': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        description: 'Adds a book.',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['books'],
        extensions: declareDiscoveryExtension({
          // TODO: an example of the body, and its properties
          input: {},
          inputSchema: { properties: {} },
          bodyType: 'json',
          // TODO: an example of the answer
          output: { example: {} },
        }),
      },
    }),
  )
  // svc-x402: end of payments
  // Adds a book.
  .post('/books', (c) => c.json({ added: true }))
  // svc-x402: payments
  // HEAD asks for no payment, so it is answered without the handler.
  .use('/books/:isbn', async (c, next) => {
    if (c.req.method === 'HEAD') return c.body(null);
    await next();
  })
  .use(
    '/books/:isbn',
    forRoute({
      'GET /books/:isbn': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /books/:isbn',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['books'],
        extensions: declareDiscoveryExtension({
          pathParamsSchema: {
            properties: {
              isbn: { type: 'string' },
            },
          },
          // TODO: an example of the answer
          output: { example: {} },
        }),
      },
    }),
  )
  // svc-x402: end of payments
  .get('/books/:isbn', (c) => c.json({ isbn: c.req.param('isbn') }));

export type AppType = typeof app;
export default app;
