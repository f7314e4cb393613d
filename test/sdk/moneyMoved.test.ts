import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../src/protocol/index.ts';
import { decodePaymentEnvelope, type PaymentEnvelope } from '../../src/protocol/stellar/index.ts';
import {
  accountSigner,
  createX402Fetch,
  lookUpPayment,
  MaxAmountExceededError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  SettledWithoutResourceError,
  type SpendingStore,
  spendingFile,
  X402Error,
  type X402FetchOptions,
} from '../../src/sdk/index.ts';
import { Chain } from '../policies/support/chain.ts';
import { balancesOf, openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalNetwork, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';

const PRICE = 100_000n;
const SELLER = 'http://seller.test';

/** What a seller answers to a paid request, after it asked the facilitator or instead of it. */
type Seller = (settle: () => Promise<Settled>, sent: PaymentEnvelope) => Promise<Response>;
interface Settled {
  readonly success: boolean;
  readonly transaction: string;
}

const told = (status: number, settlement: object) =>
  new Response(null, {
    status,
    headers: { 'PAYMENT-RESPONSE': encodeHeaderMessage(settlement) },
  });
const refusal = (errorReason: string) => ({ success: false, transaction: '', errorReason });

/** Sellers that settle, and then say that they did not, or nothing at all. */
const DENIALS: readonly (readonly [string, () => Response])[] = [
  ['a bare 402', () => new Response(null, { status: 402 })],
  ['a refusal', () => told(402, refusal('settlement_refused'))],
  [
    'a reason that asks for a fresh signature',
    () => told(402, refusal('settle_exact_stellar_transaction_submission_failed')),
  ],
  ['a failure of the server', () => new Response(null, { status: 500 })],
];

function envelopeIn(header: string): PaymentEnvelope {
  const message = decodeHeaderMessage(header) as { payload: { transaction: string } };
  const decoded = decodePaymentEnvelope(message.payload.transaction);
  assert.ok(decoded.ok);
  return decoded.envelope;
}

describe('[M6] Once signed bytes are sent, only the ledger decides whether money moved', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  before(async () => {
    stack = await startLocalStack();
    [payer, payTo] = await Promise.all([openPayer(stack), openSeller(stack)]);
  });
  after(() => stack.close());

  const terms = (rest: object = {}) => ({
    scheme: 'exact',
    network: 'stellar:testnet',
    asset: USDC,
    amount: `${PRICE}`,
    payTo: payTo.address,
    maxTimeoutSeconds: 60,
    extra: { areFeesSponsored: true },
    ...rest,
  });

  /** Settles by the real facilitator what a buyer presents. */
  async function settle(request: Request): Promise<Settled> {
    const header = request.headers.get('PAYMENT-SIGNATURE') ?? '';
    const paymentPayload = decodeHeaderMessage(header) as { accepted: object };
    const body = { x402Version: 2, paymentPayload, paymentRequirements: paymentPayload.accepted };
    const answer = await fetch(`${stack.facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Settled;
  }

  function buyer(seller: Seller, options: Partial<X402FetchOptions> = {}, offer: object = {}) {
    const fetching: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith(SELLER)) return fetch(request);
      const header = request.headers.get('PAYMENT-SIGNATURE');
      if (header !== null) return seller(() => settle(request), envelopeIn(header));
      const required = encodeHeaderMessage({ x402Version: 2, accepts: [terms(offer)] });
      return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
    };
    const pay = createX402Fetch({
      signer: accountSigner(payer.address, payer.sign),
      rpcUrl: stack.rpcUrl,
      allowedAssets: [USDC],
      ...options,
      fetch: fetching,
    });
    return () => pay(`${SELLER}/goods`);
  }

  const failure = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => assert.fail('it was paid'),
      (error: unknown) => error,
    );
  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;
  const lookUp = (error: unknown) => {
    assert.ok(error instanceof X402Error && error.payment !== undefined);
    return lookUpPayment(error.payment, { rpcUrl: stack.rpcUrl });
  };

  it('the facilitator’s reply is lost: no call says that no money moved, and the ceiling holds', async () => {
    const before = await earned();
    const lost: Seller = async (settle) => {
      await settle();
      return told(402, refusal('facilitator_unreachable'));
    };
    const buy = buyer(lost, { sessionCeiling: 2n * PRICE });
    const errors = [];
    for (let call = 0; call < 5; call++) errors.push(await failure(buy()));
    for (const error of errors.slice(0, 2)) {
      assert.ok(error instanceof SettledWithoutResourceError);
      assert.equal(error.moneyMoved, 'yes');
      assert.match(error.transaction, /^[0-9a-f]{64}$/);
      const { fate, ...found } = await lookUp(error);
      assert.deepEqual(found, { moneyMoved: 'yes', transaction: error.transaction });
      assert.deepEqual(error.fate, fate);
    }
    for (const error of errors.slice(2)) assert.ok(error instanceof MaxAmountExceededError);
    assert.equal((await earned()) - before, 2n * PRICE);
  });

  for (const [what, deny] of DENIALS) {
    it(`a seller that settles and answers with ${what} moves no more than the ceiling`, async () => {
      const before = await earned();
      const thief: Seller = async (settle) => {
        await settle();
        return deny();
      };
      const buy = buyer(thief, { sessionCeiling: 3n * PRICE });
      for (let call = 0; call < 5; call++) {
        const error = await failure(buy());
        assert.ok(error instanceof X402Error);
        const { code, moneyMoved } = error;
        const said = call < 3 ? ['settled_without_resource', 'yes'] : ['max_amount_exceeded', 'no'];
        assert.deepEqual([code, moneyMoved], said, error.message);
      }
      assert.equal((await earned()) - before, 3n * PRICE);
    });
  }

  it('a seller that keeps the payment is reported as not paid yet until it expires, and refunded then', async () => {
    const buy = buyer(async () => told(402, refusal('settlement_refused')), {
      sessionCeiling: PRICE,
    });
    const error = await failure(buy());
    assert.ok(error instanceof PaymentRejectedError);
    assert.equal(error.moneyMoved, 'not_yet');
    const open = { state: 'open', until: error.payment?.expirationLedger };
    assert.deepEqual(await lookUp(error), { moneyMoved: 'not_yet', fate: open });
    assert.ok((await failure(buy())) instanceof MaxAmountExceededError);
    await stack.ledger.control('svc_advanceLedgers', { count: 40 });
    const searched = { state: 'void', evidence: 'searched' };
    assert.deepEqual(await lookUp(error), { moneyMoved: 'no', fate: searched });
    // The amount of a payment that can never settle is given back.
    assert.ok((await failure(buy())) instanceof PaymentRejectedError);
  });

  it('[finding: O1] a payment of a network that was reset is named so, and not as one that can still settle', async () => {
    await stack.ledger.control('svc_advanceLedgers', { count: 40 });
    const reset = { ...refusal('settlement_refused'), reason: 'network_reset' };
    const error = await failure(buyer(async () => told(402, reset))());
    assert.ok(error instanceof PaymentRejectedError && error.payment !== undefined);
    assert.equal(error.reason, 'network_reset');
    const again = await startLocalNetwork({ seed: 'another network' });
    try {
      const { moneyMoved, fate } = await lookUpPayment(error.payment, { rpcUrl: again.rpcUrl });
      assert.equal(moneyMoved, 'unknown');
      assert.deepEqual(fate, { state: 'unknown', because: 'network_reset' });
    } finally {
      await again.close();
    }
  });

  it('a seller that keeps the payment and settles it later is found after the expiry', async () => {
    let later: (() => Promise<Settled>) | undefined;
    const buy = buyer(async (settle) => {
      later = settle;
      throw new TypeError('the connection broke');
    });
    const error = await failure(buy());
    assert.ok(error instanceof PaymentOutcomeUnknownError);
    assert.equal(error.moneyMoved, 'not_yet');
    const settled = await later?.();
    assert.equal(settled?.success, true);
    const { transaction } = settled;
    for (const evidence of ['nonce', 'movement']) {
      const { fate, ...found } = await lookUp(error);
      assert.deepEqual(found, { moneyMoved: 'yes', transaction });
      assert.equal(fate.state === 'paid' && fate.evidence, evidence);
      // Until the ledger has forgotten the nonce.
      await stack.ledger.control('svc_advanceLedgers', { count: 760 });
    }
  });

  it('a seller that claims success without settling is not believed', async () => {
    const claim = { success: true, transaction: 'ab'.repeat(32) };
    const error = await failure(buyer(async () => told(500, claim))());
    assert.ok(error instanceof SettledWithoutResourceError);
    assert.equal(error.moneyMoved, 'not_yet');
  });

  it('an unreachable RPC server leaves it unknown', async () => {
    let sent = false;
    const options: Partial<X402FetchOptions> = { rpcUrl: `${SELLER}/rpc` };
    const fetching: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url === `${SELLER}/rpc`) {
        if (sent) throw new TypeError('the connection broke');
        const { method, headers } = request;
        return fetch(stack.rpcUrl, { method, headers, body: await request.text() });
      }
      sent = request.headers.has('PAYMENT-SIGNATURE');
      if (sent) return new Response(null, { status: 402 });
      const required = encodeHeaderMessage({ x402Version: 2, accepts: [terms()] });
      return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
    };
    const signer = accountSigner(payer.address, payer.sign);
    const pay = createX402Fetch({ signer, rpcUrl: stack.rpcUrl, ...options, fetch: fetching });
    const error = await failure(pay(`${SELLER}/goods`));
    assert.ok(error instanceof PaymentRejectedError);
    assert.equal(error.moneyMoved, 'unknown');
  });

  it('[M6] a payment to the asset’s issuer moves money, although the asset emits burn instead of transfer', async () => {
    const chain = new Chain(stack, await openAccount(stack));
    const issuer = stack.ledger.accounts.usdcIssuer;
    const before = (await balancesOf(stack, payer.address)).usdc;
    // The seller submits the authorization by itself and denies it.
    const thief: Seller = async (_, { authorizations, invocation }) => {
      await chain.present(USDC, 'transfer', [...invocation.args], [...authorizations]);
      return told(402, refusal('settlement_refused'));
    };
    const buy = buyer(thief, { sessionCeiling: PRICE }, { payTo: issuer });
    const error = await failure(buy());
    assert.equal(before - (await balancesOf(stack, payer.address)).usdc, PRICE);
    assert.ok(error instanceof SettledWithoutResourceError);
    assert.equal(error.moneyMoved, 'yes');
    await stack.ledger.control('svc_advanceLedgers', { count: 760 });
    const { moneyMoved, fate } = await lookUp(error);
    assert.equal(moneyMoved, 'yes');
    assert.equal(fate.state === 'paid' && fate.evidence, 'movement');
    assert.ok((await failure(buy())) instanceof MaxAmountExceededError, 'the ceiling was freed');
  });

  it('[M6] nothing frees the ceiling of a payment that was lost, settled to the issuer, and looked up after it expired', async () => {
    const chain = new Chain(stack, await openAccount(stack));
    let kept: PaymentEnvelope | undefined;
    const thief: Seller = async (_, envelope) => {
      kept = envelope;
      return told(402, refusal('settlement_refused'));
    };
    const options = { sessionCeiling: PRICE };
    const buy = buyer(thief, options, { payTo: stack.ledger.accounts.usdcIssuer });
    const error = await failure(buy());
    assert.ok(error instanceof PaymentRejectedError);
    assert.equal(error.moneyMoved, 'not_yet');
    assert.ok(kept);
    await chain.present(USDC, 'transfer', [...kept.invocation.args], [...kept.authorizations]);
    await stack.ledger.control('svc_advanceLedgers', { count: 760 });
    assert.equal((await lookUp(error)).moneyMoved, 'yes');
    assert.ok((await failure(buy())) instanceof MaxAmountExceededError, 'the ceiling was freed');
  });

  it('ceilings apply to each asset, and an asset without one is not paid', async () => {
    const paid: Seller = async (settle) => told(200, await settle());
    const sessionCeiling = { [USDC]: PRICE };
    assert.equal((await buyer(paid, { sessionCeiling })()).status, 200);
    const options = { sessionCeiling: { [OTHER_ASSET]: 10n * PRICE } };
    assert.ok((await failure(buyer(paid, options)())) instanceof MaxAmountExceededError);
  });

  it('requests at the same time share one ceiling', async () => {
    const before = await earned();
    const buy = buyer(async (settle) => told(200, await settle()), { sessionCeiling: 2n * PRICE });
    const results = await Promise.allSettled([buy(), buy(), buy(), buy()]);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
    assert.equal((await earned()) - before, 2n * PRICE);
  });

  it('a restart forgets nothing, with a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-x402-spending-'));
    try {
      const path = join(folder, 'spending.json');
      const options = { sessionCeiling: 2n * PRICE };
      const paid: Seller = async (settle) => told(200, await settle());
      const kept: Seller = async () => {
        // A payment is written down before it leaves.
        assert.match(readFileSync(path, 'utf8'), /"nonce"/);
        throw new TypeError('the process was killed here');
      };
      const again = () => ({ ...options, spendingStore: spendingFile(path) });
      assert.equal((await buyer(paid, again())()).status, 200);
      await failure(buyer(kept, again())());
      assert.ok((await failure(buyer(paid, again())())) instanceof MaxAmountExceededError);
      if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
      await stack.ledger.control('svc_advanceLedgers', { count: 40 });
      assert.equal((await buyer(paid, again())()).status, 200);
      assert.ok((await failure(buyer(paid, again())())) instanceof MaxAmountExceededError);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a store that fails after the payment was sent hides neither the resource nor the outcome', async () => {
    let writes = 0;
    const spendingStore: SpendingStore = {
      read: async () => undefined,
      // The first write of a payment is before it is sent.
      write: async () => {
        if (++writes % 2 === 0) throw new Error('the disk is full');
      },
    };
    const paid: Seller = async (settle) => told(200, await settle());
    assert.equal((await buyer(paid, { spendingStore })()).status, 200);
    const lost: Seller = async (settle) => {
      await settle();
      return told(402, refusal('facilitator_unreachable'));
    };
    const error = await failure(buyer(lost, { spendingStore })());
    assert.ok(error instanceof SettledWithoutResourceError);
    assert.equal(writes, 4);
  });

  it('a failing store stops the payment before it is sent', async () => {
    const full: SpendingStore = {
      read: async () => undefined,
      write: () => Promise.reject(new Error('the disk is full')),
    };
    const seller: Seller = () => assert.fail('nothing may be sent');
    await assert.rejects(buyer(seller, { spendingStore: full })(), /the disk is full/);
    const other: SpendingStore = { ...full, read: async () => '{"version":2}' };
    await assert.rejects(buyer(seller, { spendingStore: other })(), { code: 'not_configured' });
  });
});
