const server = require('fastify')({ logger: true })
const { HTTPFacilitatorClient } = require('@x402/core/server')
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar')
const { paymentMiddleware, x402ResourceServer } = require('@x402/fastify')
const { ExactStellarScheme } = require('@x402/stellar/exact/server')

// svc-x402: payments
const PAYMENT_CONFIG = {
  // Fixed when this was generated: a later change of the setting does not reach it.
  payToAddress: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
}
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
})
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension)

paymentMiddleware(
  server,
  {
    'GET /roll': {
      accepts: {
        scheme: 'exact',
        price: '$0.01',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
      },
      description: 'Rolls a die.',
      mimeType: 'application/json',
      serviceName: 'demo-api',
      tags: ['roll'],
      extensions: declareDiscoveryExtension({
        input: { sides: 6 },
        inputSchema: {
          properties: {
            sides: { type: 'number', default: 6 },
          },
        },
        // TODO: real values for what is known at run time only
        output: { example: { sides: 6, value: 4 } },
      }),
    },
  },
  paymentServer,
)
// HEAD asks for no payment, so it is answered without the handler.
server.head('/roll', async (_request, reply) => reply.code(200).send())
// svc-x402: end of payments

// Rolls a die.
server.get('/roll', async (request, reply) => {
  const sides = Number(request.query.sides || 6)
  return { sides, value: 4 }
})

server.listen({ port: 3000 })
