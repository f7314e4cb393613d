import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const app = express();
app.use(express.json());

app.get('/health', (_request, response) => {
  response.json({ ok: true });
});

// svc-x402: payments
const PAYMENT_CONFIG = {
  // Fixed when this was generated: a later change of the setting does not reach it.
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
      'GET /report': {
        accepts: {
          scheme: 'exact',
          price: '$0.02',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /report',
        mimeType: 'application/json',
        serviceName: 'express-app',
        tags: ['report'],
        extensions: declareDiscoveryExtension({
          output: { example: { report: 'sunny' } },
        }),
      },
      'GET /items/:id': {
        accepts: {
          scheme: 'exact',
          price: '$0.02',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /items/:id',
        mimeType: 'application/json',
        serviceName: 'express-app',
        tags: ['items'],
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
      'POST /ask': {
        accepts: {
          scheme: 'exact',
          price: '$0.02',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'POST /ask',
        mimeType: 'application/json',
        serviceName: 'express-app',
        tags: ['ask'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: { question: 'question' },
          inputSchema: {
            properties: {
              question: { type: 'string' },
            },
          },
          bodyType: 'json',
          // TODO: real values for what is known at run time only
          output: { example: { answer: 1 } },
        }),
      },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/report', (_req, res) => {
  res.status(200).end();
});
app.head('/items/:id', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/report', (_request, response) => {
  response.json({ report: 'sunny' });
});

app.get('/items/:id', (request, response) => {
  response.json({ id: request.params.id });
});

app.post('/ask', (request, response) => {
  response.json({ answer: String(request.body.question).length });
});

app.listen(3000);
