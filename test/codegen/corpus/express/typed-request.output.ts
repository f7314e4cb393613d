import express, { type Request, type Response } from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

interface SearchQuery {
  /** Words to look for. */
  q: string;
  page?: number;
  sort?: 'new' | 'best';
}

interface SearchAnswer {
  hits: { id: string; title: string }[];
  total: number;
}

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
      'GET /search': {
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
          input: { q: 'q', page: 1, sort: 'new' },
          inputSchema: {
            properties: {
              q: { type: 'string', description: 'Words to look for.' },
              page: { type: 'number' },
              sort: { enum: ['new', 'best'] },
            },
            required: ['q'],
          },
          // TODO: real values for what is known at run time only
          output: {
            example: { hits: [{ id: 'id', title: 'title' }], total: 1 },
          },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/search', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/search', (req: Request<object, SearchAnswer, never, SearchQuery>, res: Response<SearchAnswer>) => {
  res.json(find(req.query));
});

declare function find(query: SearchQuery): SearchAnswer;
