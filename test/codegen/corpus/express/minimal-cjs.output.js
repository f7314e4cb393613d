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
      'GET /quote': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /quote',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['quote'],
        extensions: declareDiscoveryExtension({
          output: { example: { symbol: 'XLM', price: 0.12 } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/quote', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/quote', (req, res) => {
  res.json({ symbol: 'XLM', price: 0.12 });
});

app.listen(3000);
