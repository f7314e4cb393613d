import { type FastifyPluginAsync } from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

interface Query {
  q: string;
  limit?: number;
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
      app.addHook(name, async (request, reply, payload: unknown = undefined) => {
        const { url = '' } = request.routeOptions;
        const own = request.method === method && urls.includes(url);
        return own ? hook(request, reply, payload) : payload;
      }),
  });
  return tied;
};
// svc-x402: end of payments

const plugin: FastifyPluginAsync = async (instance) => {
  // svc-x402: payments
  const searchTerms = {
    scheme: 'exact',
    price: '$0.01',
    network: 'stellar:testnet',
    payTo: PAYMENT_CONFIG.payToAddress,
    maxTimeoutSeconds: 60,
  } as const;
  paymentMiddleware(
    forRoute(instance, 'GET', '/search'),
    {
      [`GET ${instance.prefix}/search`]: {
        accepts: searchTerms,
        // TODO: say what a buyer gets
        description: 'GET /search',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['search'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: { q: 'q', limit: 1 },
          inputSchema: {
            properties: {
              q: { type: 'string' },
              limit: { type: 'number' },
            },
            required: ['q'],
          },
          // TODO: real values for what is known at run time only
          output: { example: { hits: ['hits'] } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: searchTerms },
    },
    paymentServer,
  );
  // HEAD asks for no payment, so it is answered without the handler.
  instance.head('/search', async (_request, reply) => reply.code(200).send());
  // svc-x402: end of payments

  instance.get<{ Querystring: Query; Reply: { hits: string[] } }>('/search', async (request) => {
    return { hits: await search(request.query) };
  });
};

declare function search(query: Query): Promise<string[]>;

export default plugin;
