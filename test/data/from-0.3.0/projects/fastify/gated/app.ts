import Fastify from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const app = Fastify();

// svc-x402: payments
const PAYMENT_CONFIG = {
  // Fixed when this was generated: a later change of the setting does not reach it.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
};
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
});
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

paymentMiddleware(
  app,
  {
    'GET /report': {
      accepts: {
        scheme: 'exact',
        price: '$0.02',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      // TODO: say what a buyer gets
      description: 'GET /report',
      mimeType: 'application/json',
      serviceName: 'fastify-app',
      tags: ['report'],
      extensions: declareDiscoveryExtension({
        output: { example: { report: 'sunny' } },
      }),
    },
    'GET /items/:id': {
      accepts: {
        scheme: 'exact',
        price: '$0.02',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      // TODO: say what a buyer gets
      description: 'GET /items/:id',
      mimeType: 'application/json',
      serviceName: 'fastify-app',
      tags: ['items'],
      extensions: declareDiscoveryExtension({
        pathParamsSchema: {
          properties: {
            id: { type: 'string' },
          },
        },
        // TODO: real values for what is known at run time only
        output: { example: { params: null } },
      }),
    },
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/report', async (_request, reply) => reply.code(200).send());
app.head('/items/:id', async (_request, reply) => reply.code(200).send());
// svc-x402: end of payments

app.get('/report', async () => ({ report: 'sunny' }));

app.get('/items/:id', async (request) => ({ params: request.params }));

await app.listen({ port: 3000 });
