import { Router as makeRouter } from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const api = makeRouter();

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

api.use(
  paymentMiddleware(
    {
      'GET /flights': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        description: 'Finds the cheapest flight between two airports.',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['flights'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: { from: 'from', to: 'to', max: 100 },
          inputSchema: {
            properties: {
              from: { type: 'string' },
              to: { type: 'string' },
              max: { type: 'number', default: 100 },
            },
          },
          // TODO: real values for what is known at run time only
          output: { example: { from: 'from', to: 'to', price: 100 } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
api.head('/flights', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

/**
 * Finds the cheapest flight between two airports.
 *
 * @openapi ...
 */
api.get('/flights', (req, res) => {
  const from = String(req.query.from);
  const to = String(req.query['to']);
  const max = Number(req.query.max ?? 100);
  res.json({ from, to, price: max });
});

export default api;
