import Fastify from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

// The types of an app over HTTP/2 are not those of an app over HTTP/1.
const app = Fastify({ http2: true });

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

// Hooks of a payment run for the route that the router matched, however its path is written.
const forRoute = (instance: object, method: string, path: string) => {
  // The type in the adapter is that of an app over HTTP/1 with the default logger.
  const app = instance as Parameters<typeof paymentMiddleware>[0];
  const full = app.prefix + path;
  const urls = path === '/' ? [full, app.prefix] : [full];
  const tied: typeof app = Object.assign(Object.create(app), {
    decorateRequest: (name: string) =>
      app.hasRequestDecorator(name) || app.decorateRequest(name, undefined),
    addHook: (name: 'onSend', hook: (...all: unknown[]) => unknown) =>
      app.addHook(
        name,
        async (request, reply, payload: unknown = undefined) => {
          const { url = '' } = request.routeOptions;
          const own = request.method === method && urls.includes(url);
          return own ? hook(request, reply, payload) : payload;
        },
      ),
  });
  return tied;
};

const quoteTerms = {
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
} as const;
paymentMiddleware(
  forRoute(app, 'GET', '/quote'),
  {
    'GET /quote': {
      accepts: quoteTerms,
      // TODO: say what a buyer gets
      description: 'GET /quote',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['quote'],
      extensions: declareDiscoveryExtension({
        output: { example: { price: 1 } },
      }),
    },
    // For paths that the router takes and the key above does not match.
    'GET **': { accepts: quoteTerms },
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/quote', async (_request, reply) => reply.code(200).send());
// svc-x402: end of payments

app.get('/quote', async () => ({ price: 1 }));
