import * as express from 'express';
import type { Application } from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const server: Application = express();

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

server.use(
  paymentMiddleware(
    {
      'POST /translate': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'POST /translate',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['translate'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: { text: 'text', target: 'de' },
          inputSchema: {
            properties: {
              text: { type: 'string' },
              target: { enum: ['de', 'fr'] },
            },
            required: ['text', 'target'],
          },
          bodyType: 'json',
          // TODO: real values for what is known at run time only
          output: { example: { text: null } },
        }),
      },
    },
    paymentServer,
  ),
);
// svc-x402: end of payments

server.post('/translate', express.json(), async (req, res) => {
  const { text, target } = req.body as { text: string; target: 'de' | 'fr' };
  res.json({ text: await translate(text, target) });
});

async function translate(text: string, target: string): Promise<string> {
  return `${target}:${text}`;
}
