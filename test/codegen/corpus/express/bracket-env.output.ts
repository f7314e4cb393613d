import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const port = process.env['PORT'] ?? '3000';
const app = express();

// svc-x402: payments
const PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
};
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env['FACILITATOR_URL'] ?? 'http://127.0.0.1:4021',
});
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

app.use(
  paymentMiddleware(
    {
      'PATCH /profile': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'PATCH /profile',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['profile'],
        extensions: declareDiscoveryExtension({
          // TODO: real values, and the types below that the code does not show
          input: { name: 'name', age: 1 },
          inputSchema: {
            properties: {
              name: {},
              age: { type: 'number' },
            },
          },
          bodyType: 'json',
          // TODO: real values for what is known at run time only
          output: { example: { name: 'name', age: 1 } },
        }),
      },
    },
    paymentServer,
  ),
);
// svc-x402: end of payments

app.patch('/profile', express.json(), (req, res) => {
  const { name, age } = req.body;
  res.json({ name, age: Number(age) });
});

app.listen(port);
