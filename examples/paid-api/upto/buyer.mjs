// A new buyer: creates an account, buys USDC, signs a ceiling of 1.00 and pays 0.37 for 37 words.

import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createEd25519Signer } from '@x402/stellar';
// In an app that has installed svc-x402: from 'svc-x402/upto'.
import { UptoStellarClient } from '../../../dist/upto.js';
import { balances, buyUsdc, decimal, openAccount } from '../account.mjs';
import { outcomeOf } from '../payer.mjs';
import * as settings from '../settings.mjs';
import { fail, report, timed } from '../steps.mjs';

const resourceUrl = process.env.RESOURCE_URL ?? `http://${settings.host}:${settings.port}/words/37`;
/** The highest ceiling that this buyer signs, in units of 0.0000001 USDC. */
const mostToSign = BigInt(process.env.MAX_TO_SIGN ?? 10_000_000);

await run().catch(fail);

async function run() {
  const keypair = await openAccount('buyer');
  await buyUsdc(keypair, settings.usdcToBuy);
  const before = await balances(keypair.publicKey());

  const signer = createEd25519Signer(keypair.secret(), settings.network);
  const scheme = new UptoStellarClient(signer, {
    rpcUrl: settings.rpcUrl,
    maxAmount: mostToSign,
  });
  const pay = wrapFetchWithPayment(fetch, new x402Client().register(settings.network, scheme));

  const response = await timed(
    'pay',
    () => pay(resourceUrl),
    ({ status }) => ({ status }),
  );
  const { status, settlement, reason } = outcomeOf(response);
  if (!settlement) throw new Error(`The payment was refused with status ${status}: ${reason}`);
  const { transaction, payer, amount } = settlement;
  const { words } = await response.json();
  report('settled', { transaction, payer, amount, words: words.length });

  const after = await balances(keypair.publicKey());
  report('balances', {
    before: decimal(before.usdc),
    after: decimal(after.usdc),
    paid: decimal(before.usdc - after.usdc),
  });
}
