import express from 'express';
import { paymentMiddleware } from './stripe';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  paymentMiddleware as x402PaymentMiddleware,
  x402ResourceServer,
} from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const PAYMENT_CONFIG = { currency: 'eur' };
const paymentServer = 'pay.example.com';

const app = express();
app.use(paymentMiddleware(PAYMENT_CONFIG, paymentServer));

// svc-x402: payments
const X402_PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
};
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
});
const x402PaymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

app.use(
  x402PaymentMiddleware(
    {
      'GET /invoice': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: X402_PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /invoice',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['invoice'],
        extensions: declareDiscoveryExtension({
          output: { example: { total: 12 } },
        }),
      },
    },
    x402PaymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/invoice', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/invoice', (_req, res) => {
  res.json({ total: 12 });
});
