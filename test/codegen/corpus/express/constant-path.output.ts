import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const PATHS = { search: '/search', health: '/health' } as const;
const app = express();

app.get(PATHS.health, (_req, res) => res.sendStatus(204));
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
      [`GET ${PATHS.search}`]: {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /search',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['search'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: { q: 'q', limit: 10 },
          inputSchema: {
            properties: {
              q: { type: 'string' },
              limit: { type: 'number', default: 10 },
            },
          },
          // TODO: real values for what is known at run time only
          output: {
            example: {
              results: [{ title: 'one', score: 0.9 }],
              q: 'q',
              limit: 10,
            },
          },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head(PATHS.search, (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get(PATHS.search, (req, res) => {
  const { q, limit = 10 } = req.query;
  res.json({ results: [{ title: 'one', score: 0.9 }], q, limit });
});
