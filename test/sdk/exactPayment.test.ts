import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { parseContractAddress, parseSettlementHash } from '../../src/protocol/index.ts';
import {
  accountSigner,
  CannotPayError,
  connectRpc,
  DisallowedAssetError,
  fetchTransport,
  MaxAmountExceededError,
  type PaymentPlan,
  PaymentRejectedError,
  payForResource,
  type WalletSigner,
  webPlatform,
} from '../../src/sdk/exact/index.ts';
import { balancesOf, openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { NOT_INSTALLED } from '../support/canonical.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type PaidSeller, sellerInstalled, startPaidSeller } from '../support/paidSeller.ts';
import type { TestKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';

type Answer = Awaited<ReturnType<WalletSigner['signAuthEntry']>>;

describe('Paying a seller on unmodified @x402/express', {
  skip: sellerInstalled ? false : NOT_INSTALLED,
}, () => {
  let stack: LocalStack;
  let seller: PaidSeller;
  let payTo: TestKey;
  let payer: TestKey;

  before(async () => {
    stack = await startLocalStack();
    payTo = await openSeller(stack);
    payer = await openPayer(stack);
    seller = await startPaidSeller({ facilitatorUrl: stack.facilitator.url, payTo: payTo.address });
  });
  after(async () => {
    await seller?.stop();
    await stack?.close();
  });

  const transport = fetchTransport(fetch);
  const plan = (by: TestKey, rest: Partial<PaymentPlan> = {}): PaymentPlan => ({
    signer: accountSigner(by.address, by.sign),
    rpc: connectRpc(stack.rpcUrl, transport),
    platform: webPlatform(webcrypto as Parameters<typeof webPlatform>[0]),
    now: Date.now,
    ...rest,
  });
  const ask = (headers: Readonly<Record<string, string>>) =>
    transport({ method: 'GET', url: seller.url, headers });

  it('[spec: What the service does/2.2] [spec: What the service does/2.3] [spec: What the service does/2.4] [spec: What the service does/2.6] [spec: Events/PAYMENT-RESPONSE] [spec: SDK wallet handle/x402.fetch] 402, signed, settled, and the resource is served', async () => {
    const before = await balancesOf(stack, payTo.address);
    const steps: string[] = [];
    const { response, payment } = await payForResource(
      ask,
      plan(payer, { onStep: (step) => steps.push(step) }),
    );
    assert.equal(response.status, 200);
    assert.deepEqual(JSON.parse(await response.text()), { city: 'Lima', tempC: 19 });
    assert.deepEqual(steps, ['asked', 'chosen', 'signed', 'answered']);
    assert.ok(payment?.settlement?.success);
    assert.ok(parseSettlementHash(payment.settlement.transaction));
    assert.equal(payment.settlement.payer, payer.address);
    assert.equal(payment.settlement.amount, '100000');
    const { usdc } = await balancesOf(stack, payTo.address);
    assert.equal(usdc - before.usdc, 100_000n);
  });

  /** As Freighter answers (@stellar/freighter-api 6.0.1): it hashes the preimage itself. */
  const walletOf = (by: TestKey, answer: Partial<Answer> = {}) => {
    const asked: { readonly networkPassphrase?: string; readonly address?: string }[] = [];
    const wallet: WalletSigner = {
      address: by.address,
      async signAuthEntry(preimage, options = {}) {
        asked.push(options);
        const hash = createHash('sha256').update(Buffer.from(preimage, 'base64')).digest();
        const signedAuthEntry = Buffer.from(by.sign(hash)).toString('base64');
        return { signedAuthEntry, signerAddress: by.address, ...answer };
      },
    };
    return { wallet, asked };
  };

  it('[C7] a wallet that signs with SEP-43 pays with exact', async () => {
    const { wallet, asked } = walletOf(payer);
    const before = await balancesOf(stack, payTo.address);
    const { response, payment } = await payForResource(ask, plan(payer, { signer: wallet }));
    assert.equal(response.status, 200);
    assert.equal(payment?.settlement?.payer, payer.address);
    const { usdc } = await balancesOf(stack, payTo.address);
    assert.equal(usdc - before.usdc, 100_000n);
    assert.deepEqual(asked, [
      { networkPassphrase: 'Test SDF Network ; September 2015', address: payer.address },
    ]);
  });

  it('[C7] a wallet that does not sign, or signs with another account, pays nothing', async () => {
    const before = await balancesOf(stack, payTo.address);
    const other = await openPayer(stack);
    const elsewhere: WalletSigner = { ...walletOf(other).wallet, address: payer.address };
    for (const [signer, reason] of [
      [walletOf(payer, { error: { message: 'User declined access' } }).wallet, /User declined/],
      [walletOf(payer, { signedAuthEntry: null }).wallet, /did not sign/],
      [walletOf(payer, { signedAuthEntry: 'AAAA' }).wallet, /64 bytes/],
      [elsewhere, /does not accept the signature/],
    ] as const) {
      await assert.rejects(payForResource(ask, plan(payer, { signer })), (error: Error) => {
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /spending limit/);
        return true;
      });
    }
    const { usdc } = await balancesOf(stack, payTo.address);
    assert.equal(usdc, before.usdc);
  });

  it('[C6] a signer without an account or a function is refused when it is created', () => {
    for (const make of [
      () => accountSigner(undefined as never, payer.sign),
      () => accountSigner(payer.address, undefined as never),
      () => accountSigner(USDC, payer.sign),
    ]) {
      assert.throws(make, { name: 'X402NotConfiguredError' });
    }
  });

  it('[spec: SDK errors/MaxAmountExceededError] does not call the signer', async () => {
    const signer = {
      address: payer.address,
      sign: () => Promise.reject(new Error('nothing may be signed')),
    };
    await assert.rejects(payForResource(ask, plan(payer, { signer, maxAmount: 99_999n })), {
      name: 'MaxAmountExceededError',
      code: 'max_amount_exceeded',
      asked: 100_000n,
      moneyMoved: 'no',
    });
    assert.ok(MaxAmountExceededError);
  });

  it('[spec: SDK errors/DisallowedAssetError] if the asset is not allowed', async () => {
    const allowedAssets = [parseContractAddress(OTHER_ASSET) ?? ''];
    await assert.rejects(
      payForResource(ask, plan(payer, { allowedAssets })),
      (error) => error instanceof DisallowedAssetError && error.offered.length === 1,
    );
  });

  it('a payer without the asset gets that error from the simulation, before anything is sent', async () => {
    const poor = await openAccount(stack);
    let requests = 0;
    const counted: typeof ask = (headers) => {
      requests += 1;
      return ask(headers);
    };
    await assert.rejects(
      payForResource(counted, plan(poor)),
      (error) => error instanceof CannotPayError && error.reason === 'trustline_missing',
    );
    assert.equal(requests, 1);
  });

  it('a payer with too little gets that error', async () => {
    const poor = await openPayer(stack, 1n);
    await assert.rejects(
      payForResource(ask, plan(poor)),
      (error) => error instanceof CannotPayError && error.reason === 'insufficient_balance',
    );
  });

  it('[spec: SDK errors/PaymentRejectedError] has the facilitator’s reason', async () => {
    // A signature by another key passes the first simulation and fails the one that enforces it.
    const stranger = accountSigner(payer.address, payTo.sign);
    await assert.rejects(
      payForResource(ask, plan(payer, { signer: stranger })),
      (error) => error instanceof CannotPayError && error.reason === 'signature_refused',
    );
    // The header of a payment that settled is refused when it is presented again.
    let shown: Readonly<Record<string, string>> = {};
    await payForResource((headers) => {
      shown = headers;
      return ask(headers);
    }, plan(payer));
    let first = true;
    await assert.rejects(
      payForResource((headers) => {
        const replay = first ? headers : shown;
        first = false;
        return ask(replay);
      }, plan(payer)),
      (error) =>
        error instanceof PaymentRejectedError &&
        error.reason === 'invalid_exact_stellar_payload_authorization_replayed' &&
        error.moneyMoved === 'not_yet',
    );
  });

  it('beforeSigning can refuse a payment', async () => {
    const refusal = new Error('not to this one');
    await assert.rejects(
      payForResource(
        ask,
        plan(payer, {
          beforeSigning(option) {
            assert.equal(option.payTo, payTo.address);
            throw refusal;
          },
        }),
      ),
      refusal,
    );
  });
});
