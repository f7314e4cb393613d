// Buys one request with the published `@x402/fetch`, and prints the status and the body. The request is JSON in REQUEST.

import { Keypair } from '@stellar/stellar-sdk';
import { createPayer, outcomeOf } from '../../../examples/paid-api/payer.mjs';

const { url, ...request } = JSON.parse(process.env.REQUEST);
const response = await createPayer(Keypair.fromSecret(process.env.PAYER_SECRET)).payWith(fetch)(
  url,
  request,
);
const { settlement, reason } = outcomeOf(response);
console.log(
  JSON.stringify({ paid: settlement?.success ?? false, reason, body: await response.text() }),
);
