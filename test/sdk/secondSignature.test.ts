import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  TESTNET_PASSPHRASE,
} from '../../src/protocol/index.ts';
import {
  decodePaymentEnvelope,
  readAuthorization,
  toI128,
  toScAddress,
  transferInvocation,
} from '../../src/protocol/stellar/index.ts';
import { knownSigner, signAuthorization, webPlatform } from '../../src/sdk/exact/index.ts';
import {
  accountSigner,
  createX402Fetch,
  lookUpPayment,
  X402Error,
  type X402FetchOptions,
} from '../../src/sdk/index.ts';
import { Chain, Refused } from '../policies/support/chain.ts';
import { balancesOf, openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';

const PRICE = 100_000n;
const SELLER = 'http://seller.test';
const platform = webPlatform(webcrypto as Parameters<typeof webPlatform>[0]);

/** Authorizations that a seller received, with what they are valid for. */
interface Received {
  readonly entry: xdr.SorobanAuthorizationEntry;
  readonly nonce: bigint;
  readonly expirationLedger: number;
  readonly header: string;
}

function receivedIn(header: string): Received {
  const message = decodeHeaderMessage(header) as { payload: { transaction: string } };
  const decoded = decodePaymentEnvelope(message.payload.transaction);
  assert.ok(decoded.ok);
  const [entry] = decoded.envelope.authorizations;
  assert.ok(entry);
  const read = readAuthorization(entry);
  assert.ok(read);
  return { entry, nonce: read.nonce, expirationLedger: read.expirationLedger, header };
}

describe('[M1] A second signature never outlives the first', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let payer: TestKey;
  let payTo: TestKey;
  before(async () => {
    local = await startLocalNetwork();
    chain = new Chain(local, await openAccount(local));
    [payer, payTo] = [await openPayer(local), await openSeller(local)];
  });
  after(() => local.close());

  const earned = async () => (await balancesOf(local, payTo.address)).usdc;

  /** The seller submits an authorization by itself. Returns whether the ledger accepted it. */
  async function settles(entry: xdr.SorobanAuthorizationEntry): Promise<boolean> {
    const args = [
      xdr.ScVal.scvAddress(toScAddress(payer.address)),
      xdr.ScVal.scvAddress(toScAddress(payTo.address)),
      toI128(PRICE),
    ];
    return chain.present(USDC, 'transfer', args, [entry]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused) return false;
        throw error;
      },
    );
  }

  /** A seller that withholds each payment, lets ledgers pass and says that it was never submitted. */
  function withholding(maxTimeoutSeconds: number, ledgers: number, options: object = {}) {
    const received: Received[] = [];
    const fetching: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith(SELLER)) return fetch(request);
      const header = request.headers.get('PAYMENT-SIGNATURE');
      if (header === null) {
        const terms = {
          ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC, amount: `${PRICE}` },
          ...{ payTo: payTo.address, maxTimeoutSeconds, extra: { areFeesSponsored: true } },
        };
        const required = encodeHeaderMessage({ x402Version: 2, accepts: [terms] });
        return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
      }
      received.push(receivedIn(header));
      await chain.passLedgers(ledgers);
      const response = encodeHeaderMessage({
        ...{ success: false, transaction: '' },
        errorReason: 'settle_exact_stellar_transaction_submission_failed',
      });
      return new Response(null, { status: 402, headers: { 'PAYMENT-RESPONSE': response } });
    };
    const buy = (more: Partial<X402FetchOptions> = {}) =>
      createX402Fetch({
        signer: accountSigner(payer.address, payer.sign),
        rpcUrl: local.rpcUrl,
        allowedAssets: [USDC],
        maxAmount: PRICE,
        sessionCeiling: PRICE,
        ...options,
        ...more,
        fetch: fetching,
      })(`${SELLER}/goods`);
    return { buy, received };
  }

  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => assert.fail('nothing was delivered'),
      (error: unknown) => error,
    );

  it('a nonce is kept only until the expiration that it was used with: any other expiration can pay once more', async () => {
    const latest = await chain.latestLedger();
    const nonce = 4_711n;
    const signed = (expirationLedger: number) =>
      signAuthorization(
        {
          ...{ kind: 'address', nonce, expirationLedger },
          invocation: transferInvocation({
            ...{ asset: USDC, from: payer.address, to: payTo.address, amount: PRICE },
          }),
        },
        knownSigner(accountSigner(payer.address, payer.sign)),
        TESTNET_PASSPHRASE,
        platform,
      );
    const [early, late] = [await signed(latest + 1_000), await signed(latest + 2_000)];
    const before = await earned();
    // Also if the second one expires first: what was signed before it pays again.
    assert.equal(await settles(early), true);
    assert.equal(await settles(late), false, 'the nonce is used');
    await chain.passLedgers(1_000);
    assert.equal(await settles(late), true);
    assert.equal((await earned()) - before, 2n * PRICE);
  });

  for (const [seconds, ledgers] of [
    [86_400, 3],
    [7_200, 3],
    [60, 2],
  ] as const) {
    it(`a seller with ${seconds} s that denies the payment cannot be paid twice`, async () => {
      const before = await earned();
      const { buy, received } = withholding(seconds, ledgers);
      const error = await failureOf(buy());
      assert.ok(error instanceof X402Error);
      const [first, ...others] = received;
      assert.ok(first);
      assert.ok(others.length <= 1);
      // It settles what it was given first, waits until the ledger forgets the nonce, and tries the rest.
      assert.equal(await settles(first.entry), true);
      for (const { expirationLedger } of received) {
        const left = expirationLedger + 1 - (await chain.latestLedger());
        if (left > 0) await chain.passLedgers(left);
        for (const { entry } of received) await settles(entry);
      }
      assert.equal((await earned()) - before, PRICE);
      for (const { nonce, expirationLedger } of others) {
        assert.deepEqual([nonce, expirationLedger], [first.nonce, first.expirationLedger]);
      }
      assert.ok(error.payment);
      const { moneyMoved } = await lookUpPayment(error.payment, { rpcUrl: local.rpcUrl });
      assert.equal(moneyMoved, 'yes');
    });
  }

  it('settling the second one first does not let the first one pay again', async () => {
    const before = await earned();
    const { buy, received } = withholding(86_400, 3);
    await failureOf(buy());
    for (const { entry } of [...received].reverse()) await settles(entry);
    const last = Math.max(...received.map(({ expirationLedger }) => expirationLedger));
    await chain.passLedgers(Math.min(17_280, last + 1 - (await chain.latestLedger())));
    for (const { entry } of received) await settles(entry);
    assert.equal((await earned()) - before, PRICE);
  });
});
