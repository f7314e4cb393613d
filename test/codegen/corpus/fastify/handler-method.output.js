const app = require('fastify')();
const { HTTPFacilitatorClient } = require('@x402/core/server');
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
const { paymentMiddleware, x402ResourceServer } = require('@x402/fastify');
const { ExactStellarScheme } = require('@x402/stellar/exact/server');

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
    'PUT /thing': {
      accepts: {
        scheme: 'exact',
        price: '$0.01',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      // TODO: say what a buyer gets
      description: 'PUT /thing',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['thing'],
      extensions: declareDiscoveryExtension({
        // TODO: real values, and the types below that the code does not show
        input: { name: 'name' },
        inputSchema: {
          properties: {
            name: {},
          },
        },
        bodyType: 'json',
        // TODO: real values for what is known at run time only
        output: { example: { name: 'name' } },
      }),
    },
  },
  paymentServer,
);
// svc-x402: end of payments

app.route({
  method: 'PUT',
  url: '/thing',
  handler(request, reply) {
    const { name } = request.body;
    reply.send({ name });
  },
});
