import { type Static, Type } from '@sinclair/typebox';
import Fastify from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const Body = Type.Object({
  prompt: Type.String({ minLength: 1, description: 'What to draw' }),
  size: Type.Optional(Type.Union([Type.Literal('small'), Type.Literal('large')])),
  steps: Type.Integer({ minimum: 10, maximum: 50 }),
});

const app = Fastify();

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

const drawTerms = {
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
} as const;
paymentMiddleware(
  forRoute(app, 'POST', '/draw'),
  {
    'POST /draw': {
      accepts: drawTerms,
      // TODO: say what a buyer gets
      description: 'POST /draw',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['draw'],
      extensions: declareDiscoveryExtension({
        // TODO: real values
        input: { prompt: 'prompt', size: 'small', steps: 10 },
        inputSchema: {
          properties: {
            prompt: {
              type: 'string',
              minLength: 1,
              description: 'What to draw',
            },
            size: { enum: ['small', 'large'] },
            steps: { type: 'integer', minimum: 10, maximum: 50 },
          },
          required: ['prompt', 'steps'],
        },
        bodyType: 'json',
        output: { example: { url: 'https://example.com' } },
      }),
    },
    // For paths that the router takes and the key above does not match.
    'POST **': { accepts: drawTerms },
  },
  paymentServer,
);
// svc-x402: end of payments

app.post<{ Body: Static<typeof Body> }>(
  '/draw',
  { schema: { body: Body, response: { 200: Type.Object({ url: Type.String({ format: 'uri' }) }) } } },
  async (request, reply) => {
    const url = await draw(request.body);
    return reply.send({ url });
  },
);

declare function draw(body: unknown): Promise<string>;
