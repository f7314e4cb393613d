import Fastify from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const fastify = Fastify();

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

const eitherTerms = /** @type {const} */ ({
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
});
paymentMiddleware(
  forRoute(fastify, 'POST', '/either'),
  {
    'POST /either': {
      accepts: eitherTerms,
      // TODO: say what a buyer gets
      description: 'POST /either',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['either'],
      extensions: declareDiscoveryExtension({
        // TODO: real values
        input: { size: 'size' },
        inputSchema: {
          properties: {
            size: {
              oneOf: [
                { type: 'string', maxLength: 5 },
                { type: 'number', minimum: 10 },
              ],
            },
          },
        },
        bodyType: 'json',
        // TODO: real values for what is known at run time only
        output: { example: { size: 'size' } },
      }),
    },
    // For paths that the router takes and the key above does not match.
    'POST **': { accepts: eitherTerms },
  },
  paymentServer,
);
// svc-x402: end of payments

fastify.post(
  '/either',
  {
    schema: {
      body: {
        type: 'object',
        properties: {
          size: {
            oneOf: [
              { type: 'string', maxLength: 5 },
              { type: 'number', minimum: 10 },
            ],
          },
        },
      },
    },
  },
  async (request) => ({ size: request.body.size }),
);

await fastify.listen({ port: 3000 });
