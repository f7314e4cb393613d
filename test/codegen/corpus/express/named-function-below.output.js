var express = require('express');
var { HTTPFacilitatorClient } = require('@x402/core/server');
var { paymentMiddleware, x402ResourceServer } = require('@x402/express');
var {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
var { ExactStellarScheme } = require('@x402/stellar/exact/server');
var app = express();

// svc-x402: payments
var PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
};
var facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
});
var paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

app.use(
  paymentMiddleware(
    {
      'GET /lookup': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /lookup',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['lookup'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: { id: 'id' },
          inputSchema: {
            properties: {
              id: { type: 'string' },
            },
          },
          // TODO: real values for what is known at run time only
          output: { example: { id: 'id', name: 'none' } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/lookup', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/lookup', lookup);

function lookup(req, res) {
  var id = req.query.id;
  res.json({ id: id, name: 'none' });
}

app.listen(process.env.PORT || 8080);
