const express = require('express');
const { HTTPFacilitatorClient } = require('@x402/core/server');
const { paymentMiddleware, x402ResourceServer } = require('@x402/express');
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
const { ExactStellarScheme } = require('@x402/stellar/exact/server');
const app = express();

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

app.use(
  paymentMiddleware(
    {
      'GET /a': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /a',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['a'],
        extensions: declareDiscoveryExtension({
          output: { example: { a: 1 } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/a', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/a', (req, res) => res.json({ a: 1 }));

const LATE = '/late/:id';
// svc-x402: payments
const lateIdTerms = /** @type {const} */ ({
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
});
app.get(
  LATE,
  paymentMiddleware(
    {
      [`GET ${LATE}`]: {
        accepts: lateIdTerms,
        // TODO: say what a buyer gets
        description: 'GET /late/:id',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['late'],
        extensions: declareDiscoveryExtension({
          pathParamsSchema: {
            properties: {
              id: { type: 'string' },
            },
          },
          // TODO: real values for what is known at run time only
          output: { example: { id: 'id' } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: lateIdTerms },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head(LATE, (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get(LATE, (req, res) => res.json({ id: req.params.id }));
