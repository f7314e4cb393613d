import Fastify from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const app = Fastify({ logger: true });

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

const weatherCityTerms = {
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
} as const;
paymentMiddleware(
  forRoute(app, 'GET', '/weather/:city'),
  {
    'GET /weather/:city': {
      accepts: weatherCityTerms,
      // TODO: say what a buyer gets
      description: 'GET /weather/:city',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['weather'],
      extensions: declareDiscoveryExtension({
        pathParamsSchema: {
          properties: {
            city: { type: 'string' },
          },
        },
        // TODO: real values for what is known at run time only
        output: { example: { city: 'city', tempC: 19 } },
      }),
    },
    // For paths that the router takes and the key above does not match.
    'GET **': { accepts: weatherCityTerms },
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/weather/:city', async (_request, reply) => reply.code(200).send());
// svc-x402: end of payments

app.get('/weather/:city', async (request) => {
  const { city } = request.params as { city: string };
  return { city, tempC: 19 };
});

await app.listen({ port: 3000 });
