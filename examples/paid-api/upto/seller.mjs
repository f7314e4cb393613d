// An API that charges for use: the buyer signs a ceiling, and pays for the words that it gets.

import { createServer } from 'node:http';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, setSettlementOverrides, x402ResourceServer } from '@x402/express';
import express from 'express';
// In an app that has installed svc-x402: from 'svc-x402/upto'.
import { UptoStellarServer } from '../../../dist/upto.js';
import { openAccount } from '../account.mjs';
import * as settings from '../settings.mjs';
import { fail, report } from '../steps.mjs';

/** The price of a word, in units of 0.0000001 USDC, and the maximum price of one request. */
const wordPrice = 100_000n;
const ceiling = '$1.00';
const mostWords = 100;

if (!settings.facilitatorUrl) fail('Set FACILITATOR_URL to the address of an x402 facilitator.');

const payTo = settings.payTo ?? (await openAccount('seller').catch(fail)).publicKey();

const x402 = new x402ResourceServer(
  new HTTPFacilitatorClient({ url: settings.facilitatorUrl }),
).register(settings.network, new UptoStellarServer());

const app = express();
app.use(
  paymentMiddleware(
    {
      'GET /words/:count': {
        accepts: {
          scheme: 'upto',
          network: settings.network,
          payTo,
          price: ceiling,
          maxTimeoutSeconds: 300,
        },
        description: 'As many words as you ask for, 0.01 USDC each',
        mimeType: 'application/json',
      },
    },
    x402,
  ),
);
app.get('/words/:count', (request, response) => {
  const words = Math.min(Math.max(Number.parseInt(request.params.count, 10) || 0, 0), mostWords);
  // Settles the actual use; without this line it would be the full ceiling.
  setSettlementOverrides(response, { amount: String(BigInt(words) * wordPrice) });
  response.json({ words: Array.from({ length: words }, (_, i) => `word${i + 1}`) });
});

const listener = createServer(app);
listener.on('error', fail);
listener.listen(settings.port, settings.host, () => {
  const { port } = listener.address();
  report('listening', { url: `http://${settings.host}:${port}/words/37`, payTo, ceiling });
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => process.exit(0));
}
