import { type TypeBoxTypeProvider, Type } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { paymentMiddleware, x402ResourceServer } from '@x402/fastify';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();

// svc-x402: payments
const PAYMENT_CONFIG = {
  // Fixed when this was generated: a later change of the setting does not reach it.
  payToAddress: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
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
    'GET /typed': {
      accepts: {
        scheme: 'exact',
        price: '$0.01',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      // TODO: say what a buyer gets
      description: 'GET /typed',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['typed'],
      extensions: declareDiscoveryExtension({
        input: { n: 1 },
        inputSchema: {
          properties: {
            n: { type: 'number' },
          },
          required: ['n'],
        },
        // TODO: real values for what is known at run time only
        output: { example: { twice: 1 } },
      }),
    },
  },
  paymentServer,
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/typed', async (_request, reply) => reply.code(200).send());
// svc-x402: end of payments

app.get('/typed', { schema: { querystring: Type.Object({ n: Type.Number() }) } }, async (request) => {
  return { twice: request.query.n * 2 };
});
