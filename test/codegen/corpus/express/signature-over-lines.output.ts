import express from 'express';
import { auth } from './auth.js';
import { limit } from './limit.js';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

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

const reportsYearMonthTerms = {
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
} as const;
app.get(
  '/reports/:year/:month',
  paymentMiddleware(
    {
      'GET /reports/:year/:month': {
        accepts: reportsYearMonthTerms,
        // TODO: say what a buyer gets
        description: 'GET /reports/:year/:month',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['reports'],
        extensions: declareDiscoveryExtension({
          input: { format: 'pdf' },
          inputSchema: {
            properties: {
              format: { type: 'string', default: 'pdf' },
            },
          },
          pathParamsSchema: {
            properties: {
              year: { type: 'string' },
              month: { type: 'string' },
            },
          },
          // TODO: real values for what is known at run time only
          output: { example: { year: 'year', month: 'month', format: 'pdf' } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: reportsYearMonthTerms },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/reports/:year/:month', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app
  .get(
    '/reports/:year/:month',
    auth,
    limit({ perMinute: 10 }),
    async (
      req,
      res,
      next,
    ) => {
      try {
        const format = req.query.format || 'pdf';
        res.json({ year: Number(req.params.year), month: req.params.month, format });
      } catch (error) {
        next(error);
      }
    },
  );
