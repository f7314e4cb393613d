const fastify = require('fastify')();
const { HTTPFacilitatorClient } = require('@x402/core/server');
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
const { paymentMiddleware, x402ResourceServer } = require('@x402/fastify');
const { ExactStellarScheme } = require('@x402/stellar/exact/server');

fastify.register(require('@fastify/swagger'));

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
const forRoute = (app, method, path) => {
  const full = app.prefix + path;
  const urls = path === '/' ? [full, app.prefix] : [full];
  return Object.assign(Object.create(app), {
    decorateRequest: (name, value) =>
      app.hasRequestDecorator(name) || app.decorateRequest(name, value),
    addHook: (name, hook) =>
      app.addHook(name, async (request, reply, payload = undefined) => {
        const { url = '' } = request.routeOptions;
        const own = request.method === method && urls.includes(url);
        return own ? hook(request, reply, payload) : payload;
      }),
  });
};

const quoteTerms = /** @type {const} */ ({
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
});
paymentMiddleware(
  forRoute(fastify, 'GET', '/quote'),
  {
    'GET /quote': {
      accepts: quoteTerms,
      // TODO: say what a buyer gets
      description: 'GET /quote',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['quote'],
      extensions: declareDiscoveryExtension({
        output: { example: { quote: 1 } },
      }),
    },
    // For paths that the router takes and the key above does not match.
    'GET **': { accepts: quoteTerms },
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
fastify.head('/quote', async (_request, reply) => reply.code(200).send());
// svc-x402: end of payments

fastify.route({
  method: 'GET',
  url: '/quote',
  schema: {
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: '0.01' },
      protocols: [{ x402: {} }],
    },
    summary: 'A quote',
    tags: ['quotes'],
  },
  handler: async () => ({ quote: 1 }),
});

module.exports = fastify;
