'use strict'

const fp = require('fastify-plugin')
const { HTTPFacilitatorClient } = require('@x402/core/server')
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar')
const { paymentMiddleware, x402ResourceServer } = require('@x402/fastify')
const { ExactStellarScheme } = require('@x402/stellar/exact/server')

// svc-x402: payments
const PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
}
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
})
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension)

// Hooks of a payment run for the route that the router matched, however its path is written.
const forRoute = (app, method, path) => {
  const full = app.prefix + path
  const urls = path === '/' ? [full, app.prefix] : [full]
  return Object.assign(Object.create(app), {
    decorateRequest: (name, value) =>
      app.hasRequestDecorator(name) || app.decorateRequest(name, value),
    addHook: (name, hook) =>
      app.addHook(name, async (request, reply, payload = undefined) => {
        const { url = '' } = request.routeOptions
        const own = request.method === method && urls.includes(url)
        return own ? hook(request, reply, payload) : payload
      }),
  })
}
// svc-x402: end of payments

module.exports = fp(async function (app, opts) {
  // svc-x402: payments
  const echoTerms = /** @type {const} */ ({
    scheme: 'exact',
    price: '$0.01',
    network: 'stellar:testnet',
    payTo: PAYMENT_CONFIG.payToAddress,
    maxTimeoutSeconds: 60,
  })
  paymentMiddleware(
    forRoute(app, 'POST', '/echo'),
    {
      [`POST ${app.prefix}/echo`]: {
        accepts: echoTerms,
        // TODO: say what a buyer gets
        description: 'POST /echo',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['echo'],
        extensions: declareDiscoveryExtension({
          // TODO: real values, and the types below that the code does not show
          input: { text: 'text' },
          inputSchema: {
            properties: {
              text: {},
            },
          },
          bodyType: 'json',
          // TODO: real values for what is known at run time only
          output: { example: { echo: 'text' } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'POST **': { accepts: echoTerms },
    },
    paymentServer,
  )
  // svc-x402: end of payments

  app.post('/echo', async (req, reply) => {
    return { echo: req.body.text }
  })
}, { name: 'echo' })
