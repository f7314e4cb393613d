// A new buyer: creates an account, buys USDC, and pays for one request.

import { decodePaymentRequiredHeader } from '@x402/core/http';
import { balances, buyUsdc, openAccount, readable, server } from './account.mjs';
import { createPayer, outcomeOf } from './payer.mjs';
import * as settings from './settings.mjs';
import { fail, report, timed } from './steps.mjs';

await run().catch(fail);

async function run() {
  const keypair = await openAccount('buyer');
  await buyUsdc(keypair, settings.usdcToBuy);

  // Reads the price first; that costs nothing.
  const challenge = await timed('challenge', askPrice, ({ amount, asset, payTo }) => ({
    url: settings.resourceUrl,
    amount,
    asset,
    payTo,
  }));
  const before = await bothBalances(keypair, challenge.payTo);

  const { client, payWith } = createPayer(keypair);
  const clock = watch(client);
  const pay = payWith(clock.fetch);
  const response = await timed(
    'pay',
    () => pay(settings.resourceUrl),
    ({ status }) => ({
      status,
      ...clock.times,
    }),
  );
  const { status, settlement, reason } = outcomeOf(response);
  if (!settlement) throw new Error(`The payment was refused with status ${status}: ${reason}`);
  const { ledger } = await server.getTransaction(settlement.transaction);
  report('settled', {
    status,
    body: await response.json(),
    payer: settlement.payer,
    transaction: settlement.transaction,
    ledger,
  });

  const after = await bothBalances(keypair, challenge.payTo);
  report('balances', { before, after });
}

/** Returns the terms in the seller's 402 response. */
async function askPrice() {
  const response = await fetch(settings.resourceUrl);
  const header = response.headers.get('PAYMENT-REQUIRED');
  if (response.status !== 402 || !header) {
    throw new Error(`${settings.resourceUrl} answered ${response.status} and asks for no payment.`);
  }
  return decodePaymentRequiredHeader(header).accepts[0];
}

async function bothBalances(keypair, payTo) {
  const [buyer, seller] = await Promise.all([balances(keypair.publicKey()), balances(payTo)]);
  return { buyer: readable(buyer), seller: readable(seller) };
}

/** Measures the parts of a payment: the 402, signing, and the paid request. */
function watch(client) {
  const times = {};
  const since = (start) => Math.round((performance.now() - start) * 10) / 10;
  let signing = 0;
  client.onBeforePaymentCreation(async () => {
    signing = performance.now();
  });
  client.onAfterPaymentCreation(async () => {
    times.signMs = since(signing);
  });
  return {
    times,
    fetch: async (request) => {
      const start = performance.now();
      const response = await fetch(request);
      const paid = request.headers.has('PAYMENT-SIGNATURE');
      times[paid ? 'paidRequestMs' : 'askMs'] = since(start);
      return response;
    },
  };
}
