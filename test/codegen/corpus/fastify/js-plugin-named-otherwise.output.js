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

async function routes (f, options) {
  // svc-x402: payments
  const kTerms = /** @type {const} */ ({
    scheme: 'exact',
    price: '$0.01',
    network: 'stellar:testnet',
    payTo: PAYMENT_CONFIG.payToAddress,
    maxTimeoutSeconds: 60,
  })
  paymentMiddleware(
    forRoute(f, 'GET', '/k'),
    {
      [`GET ${f.prefix}/k`]: {
        accepts: kTerms,
        // TODO: say what a buyer gets
        description: 'GET /k',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['k'],
        extensions: declareDiscoveryExtension({
          // TODO: real values for what is known at run time only
          output: { example: { k: null } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: kTerms },
    },
    paymentServer,
  )
  // HEAD asks for no payment, so it is answered without the handler.
  f.head('/k', async (_request, reply) => reply.code(200).send())
  // svc-x402: end of payments

  f.get('/k', async (request, reply) => {
    return { k: options.k }
  })
}

module.exports = routes
