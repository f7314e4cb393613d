import { Router } from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

export const users = Router();
export const orders = Router();

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
// svc-x402: end of payments

// svc-x402: payments
users.use(
  paymentMiddleware(
    {
      'GET /': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        extensions: declareDiscoveryExtension({
          output: { example: { users: [] } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
users.head('/', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

users.get('/', (_req, res) => {
  res.json({ users: [] });
});

// svc-x402: payments
orders.use(
  paymentMiddleware(
    {
      'GET /': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        extensions: declareDiscoveryExtension({
          output: { example: { orders: [] } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
orders.head('/', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

orders.get('/', (_req, res) => {
  res.json({ orders: [] });
});
