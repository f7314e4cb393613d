const { Router } = require('express');
const controller = require('./controller');
const { HTTPFacilitatorClient } = require('@x402/core/server');
const { paymentMiddleware, x402ResourceServer } = require('@x402/express');
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
const { ExactStellarScheme } = require('@x402/stellar/exact/server');

const router = Router();

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

const itemsIdTerms = /** @type {const} */ ({
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
});
router.get(
  '/items/:id',
  paymentMiddleware(
    {
      'GET /items/:id': {
        accepts: itemsIdTerms,
        // TODO: say what a buyer gets
        description: 'GET /items/:id',
        serviceName: 'demo-api',
        tags: ['items'],
        extensions: declareDiscoveryExtension({
          // TODO: examples of the query parameters, and their types; remove both if there are none
          input: {},
          inputSchema: { properties: {} },
          pathParamsSchema: {
            properties: {
              id: { type: 'string' },
            },
          },
          // TODO: an example of the answer
          output: { example: {} },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: itemsIdTerms },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
router.head('/items/:id', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

router
  .route('/items/:id')
  .get(controller.show)
  .put(controller.update)
  .delete(controller.remove);

module.exports = router;
