// Payments that must be refused, presented with the unmodified published client. Each must be answered with 402 and its reason,
// and leave every balance unchanged.

import assert from 'node:assert/strict';
import { nativeToScVal, Operation, xdr } from '@stellar/stellar-sdk';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { balances, buyUsdc, decimal, openAccount, submit, usdc } from './account.mjs';
import { createPayer, outcomeOf } from './payer.mjs';
import * as settings from './settings.mjs';
import { report } from './steps.mjs';

const challenge = decodePaymentRequiredHeader(
  (await fetch(settings.resourceUrl)).headers.get('PAYMENT-REQUIRED'),
);
const [asked] = challenge.accepts;

const buyer = await openAccount('buyer');
await buyUsdc(buyer, settings.usdcToBuy);
const payer = createPayer(buyer);

let failures = 0;

await refuses('a payment signed for less than the price', {
  by: buyer,
  reason: /wrong_amount/,
  present: async () => present(await signFor('1')),
});

await refuses('an amount changed after signing', {
  by: buyer,
  // The signed authorization is for another call than the transaction makes.
  reason: /unexpected_authorization|simulation_failed/,
  present: async () => {
    const payment = await signFor('1');
    payment.payload.transaction = changeAmount(payment.payload.transaction, BigInt(asked.amount));
    return present(payment);
  },
});

const paid = await payer.client.createPaymentPayload(challenge);
assert.equal((await present(paid)).status, 200, 'the first use of an authorization is paid');

await refuses('an authorization presented a second time', {
  by: buyer,
  reason: /authorization_replayed/,
  present: () => present(paid),
});

await refuses('a payer whose funds left after signing', {
  by: buyer,
  reason: /simulation_failed|insufficient/,
  before: async () => {
    const payment = await payer.client.createPaymentPayload(challenge);
    const { usdc: held } = await balances(buyer.publicKey());
    await submit(
      buyer,
      Operation.payment({
        destination: usdc.getIssuer(),
        asset: usdc,
        amount: decimal(held),
      }),
    );
    return payment;
  },
  present: (payment) => present(payment),
});

const pauper = await openAccount('pauper');
await refuses('a payer who never had funds', {
  by: pauper,
  // The client simulates before it signs, so it refuses by itself without a request.
  reason: /balance|simulation/i,
  present: () => createPayer(pauper).payWith(fetch)(settings.resourceUrl),
});

process.exit(failures === 0 ? 0 : 1);

/**
 * Presents one bad payment and compares the balances of payer and seller before and after.
 *
 * @template T
 * @param {string} negative
 * @param {{
 *   by: import('@stellar/stellar-sdk').Keypair,
 *   reason: RegExp,
 *   before?: () => Promise<T>,
 *   present: (prepared: T) => Promise<Response>,
 * }} attempt
 */
async function refuses(negative, { by, reason, before = async () => undefined, present }) {
  try {
    const prepared = await before();
    const held = await bothBalances(by);
    const answer = await present(prepared).then(outcomeOf, (error) => ({
      status: 'not sent',
      reason: error.message.split('\n')[0],
    }));
    assert.notEqual(answer.status, 200, 'the payment was taken');
    assert.match(answer.reason, reason);
    assert.deepEqual(await bothBalances(by), held, 'balances moved');
    report('refused', { negative, ...answer, balancesUnchanged: true });
  } catch (error) {
    failures += 1;
    report('failed', { negative, message: error.message });
  }
}

/** Sends the request with this payment. */
function present(payment) {
  return fetch(settings.resourceUrl, {
    headers: { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payment) },
  });
}

/** Creates a payment that claims to accept the terms, but whose authorization is for `amount`. */
async function signFor(amount) {
  const payment = await payer.client.createPaymentPayload({
    ...challenge,
    accepts: [{ ...asked, amount }],
  });
  return { ...payment, accepted: asked };
}

/** Returns the same transaction with another amount in its call; the signed authorization stays. */
function changeAmount(transaction, amount) {
  const envelope = xdr.TransactionEnvelope.fromXDR(transaction, 'base64');
  const [operation] = envelope.v1().tx().operations();
  const call = operation.body().invokeHostFunctionOp().hostFunction().invokeContract();
  call.args()[2] = nativeToScVal(amount, { type: 'i128' });
  return envelope.toXDR('base64');
}

async function bothBalances(keypair) {
  const [payerHolds, sellerHolds] = await Promise.all([
    balances(keypair.publicKey()),
    balances(asked.payTo),
  ]);
  return { payerHolds, sellerHolds };
}
