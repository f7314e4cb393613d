import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  decodeHeaderMessage,
  decodeStrKey,
  ERROR_TABLE,
  type ErrorCode,
  formatDecimalAmount,
  parseSettlementHash,
  publicCode,
} from '../../src/protocol/index.ts';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  extensionResponsesSchema,
  type FacilitatorRequest,
} from '../../src/protocol/wire/index.ts';
import {
  balancesOf,
  openAccount,
  openPayer,
  openSeller,
  submit,
  trustUsdc,
} from '../support/accounts.ts';
import { NOT_INSTALLED } from '../support/canonical.ts';
import {
  type CanonicalClient,
  canonicalClient,
  canonicalInstalled,
} from '../support/facilitatorClient.ts';
import { type FreshParts, freshPayment } from '../support/freshPayment.ts';
import { lastLedgerOf } from '../support/lastLedger.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { invocation, OTHER_ASSET, STRANGER } from '../support/payment.ts';

/** Refusals of what can never pay. Behind each of the others is an authorization that still can, here or elsewhere. */
const VOID_CODES: readonly ErrorCode[] = [
  'no_auth_entries',
  'unsupported_credential_type',
  'missing_payer_signature',
  'signature_expired',
];

describe('[spec: POST /verify and POST /settle/Canonical client] The canonical facilitator client, unmodified', {
  skip: canonicalInstalled ? false : NOT_INSTALLED,
}, () => {
  let stack: LocalStack;
  let client: CanonicalClient;
  let payer: TestKey;
  let seller: TestKey;

  before(async () => {
    stack = await startLocalStack();
    client = canonicalClient(stack.facilitator.url);
    payer = await openPayer(stack);
    seller = await openSeller(stack);
  });
  after(() => stack.close());

  const pay = (parts: FreshParts = {}, by = payer, to = seller) =>
    freshPayment(stack, by, to, parts);
  const verify = (r: FacilitatorRequest) => client.verify(r.paymentPayload, r.paymentRequirements);
  const settle = (r: FacilitatorRequest) => client.settle(r.paymentPayload, r.paymentRequirements);

  /** Checks that both parties to a payment have the same balances as before. */
  async function unmoved(by: TestKey, to: TestKey, what: () => Promise<void>): Promise<void> {
    const both = () => Promise.all([balancesOf(stack, by.address), balancesOf(stack, to.address)]);
    const start = await both();
    await what();
    assert.deepEqual(await both(), start);
  }

  async function refused(request: FacilitatorRequest, code: ErrorCode, by = payer, to = seller) {
    const { reason } = ERROR_TABLE[code];
    await unmoved(by, to, async () => {
      const verified = await verify(request);
      assert.equal(verified.isValid, false);
      assert.equal(verified.invalidReason, reason);
      const money = VOID_CODES.includes(code)
        ? { moneyMoved: 'no' }
        : { moneyMoved: 'not_yet', payableUntil: lastLedgerOf(request) };
      assert.deepEqual(verified.extra, { code: publicCode(code), cause: code, ...money });
      assert.ok(verified.invalidMessage);
      const settled = await settle(request);
      assert.equal(settled.success, false);
      assert.equal(settled.errorReason, reason);
      assert.equal(settled.transaction, '');
      assert.equal(settled.amount, '0');
    });
  }

  describe('reads what is supported', () => {
    it('[spec: GET /supported/kinds] [spec: GET /supported/signers] [spec: Supported kinds/Kinds] [spec: Supported kinds/areFeesSponsored] [spec: Versioning/Network] kinds, fees sponsored, and every signer address', async () => {
      const supported = await client.getSupported();
      const [kind, ...others] = supported.kinds;
      assert.equal(others.length, 0);
      assert.deepEqual(kind, {
        x402Version: 2,
        scheme: 'exact',
        network: 'stellar:testnet',
        extra: { areFeesSponsored: true, maxTransactionFeeStroops: '500000' },
      });
      const signers = supported.signers['stellar:*'] ?? [];
      assert.equal(new Set(signers).size, 51);
      assert.ok(signers.includes(stack.ledger.accounts.sponsor.address));
    });
  });

  describe('settles a payment', () => {
    it('[spec: Settle response/Fields] [spec: What the service does/1] [spec: What the service does/4] [spec: POST /verify and POST /settle/isValid] exactly the amount moves, from the buyer to payTo', async () => {
      const request = await pay();
      assert.deepEqual(await verify(request), { isValid: true, payer: payer.address });

      const { sponsor } = stack.ledger.accounts;
      const all = () =>
        Promise.all(
          [payer.address, seller.address, sponsor.address].map((a) => balancesOf(stack, a)),
        );
      const [payerBefore, sellerBefore, sponsorBefore] = await all();
      const settled = await settle(request);
      const [payerAfter, sellerAfter, sponsorAfter] = await all();

      assert.equal(settled.success, true);
      assert.ok(parseSettlementHash(settled.transaction));
      assert.equal(settled.payer, payer.address);
      assert.equal(settled.amount, '100000');
      assert.ok(payerBefore && sellerBefore && sponsorBefore);
      assert.ok(payerAfter && sellerAfter && sponsorAfter);
      assert.equal(sellerAfter.usdc - sellerBefore.usdc, 100_000n);
      assert.equal(payerBefore.usdc - payerAfter.usdc, 100_000n);
      // [spec: What the service does/1] the buyer needs no native currency for fees
      assert.equal(payerAfter.xlm, payerBefore.xlm);
      const fee = sponsorBefore.xlm - sponsorAfter.xlm;
      assert.ok(fee > 0n && fee <= 500_000n, formatDecimalAmount(fee));
    });

    it('[spec: extension-responses header/bazaar.reason] [spec: paymentPayload/extensions] and the seller can read why nothing was cataloged', async () => {
      const plain = await pay();
      const echoed = await pay();
      echoed.paymentPayload.extensions = { bazaar: { info: {} } };
      for (const [request, reason] of [
        [plain, 'no_discovery_extension'],
        [echoed, 'schema_validation_failed'],
      ] as const) {
        const response = await fetch(`${stack.facilitator.url}/settle`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
        });
        assert.equal(((await response.json()) as { success: boolean }).success, true);
        const header = decodeHeaderMessage(response.headers.get('extension-responses') ?? '');
        assert.deepEqual(extensionResponsesSchema.parse(header), {
          bazaar: { status: 'rejected', cataloged: false, rejectedReason: reason, reason },
        });
      }
    });

    it('with address-bound credentials of protocol 27 too', async () => {
      const request = await pay({ entry: { kind: 'addressV2' } });
      assert.equal((await verify(request)).isValid, true);
      assert.equal((await settle(request)).success, true);
    });

    it('to a contract', async () => {
      const { usdcContract } = stack.ledger.accounts;
      const to = toScAddress(OTHER_ASSET);
      const request = await pay({ to, requirements: { payTo: OTHER_ASSET, asset: usdcContract } });
      assert.equal((await settle(request)).success, true);
    });

    it('whose amount is zero, or all the payer has', async () => {
      const rich = await openPayer(stack, 5_000_000n);
      for (const amount of [0n, 5_000_000n]) {
        const parts = { amount, requirements: { amount: `${amount}` } };
        const settled = await settle(await pay(parts, rich));
        assert.equal(settled.amount, `${amount}`);
        assert.equal(settled.success, true);
      }
      assert.equal((await balancesOf(stack, rich.address)).usdc, 0n);
    });
  });

  describe('gets each failure by its code, and no balance changes', () => {
    it('a tampered amount', async () => {
      await refused(await pay({ requirements: { amount: '99999' } }), 'wrong_amount');
    });

    it('[spec: Authentication/One call] an amount changed after signing', async () => {
      const signed = invocation({
        from: payer.address,
        to: toScAddress(seller.address),
        amount: 1n,
      });
      await refused(await pay({ entry: { invocation: signed } }), 'unexpected_authorization');
    });

    it('[spec: Authentication/One call] a recipient changed after signing', async () => {
      const signed = invocation({ from: payer.address, to: toScAddress(STRANGER.address) });
      await refused(await pay({ entry: { invocation: signed } }), 'unexpected_authorization');
    });

    it('[spec: Facilitator codes/authorization_replayed] a replayed authorization', async () => {
      const request = await pay();
      const first = await settle(request);
      assert.equal(first.success, true);
      const { reason } = ERROR_TABLE.authorization_replayed;
      await unmoved(payer, seller, async () => {
        const verified = await verify(request);
        assert.equal(verified.invalidReason, reason);
        assert.equal(verified.extra?.['moneyMoved'], 'yes');
        const settled = await settle(request);
        assert.equal(settled.success, false);
        assert.equal(settled.errorReason, reason);
        assert.equal(settled.transaction, first.transaction);
      });
    });

    it('a payer without funds', async () => {
      const poor = await openSeller(stack);
      await refused(await pay({}, poor), 'insufficient_funds', poor);
    });

    it('a payer without trustline', async () => {
      const none = await openAccount(stack);
      await refused(await pay({}, none), 'insufficient_funds', none);
    });

    it('[spec: Facilitator codes/missing_trustline_recipient] payTo has no trustline to the asset', async () => {
      const bare = await openAccount(stack);
      const request = await pay({}, payer, bare);
      await refused(request, 'missing_trustline_recipient', payer, bare);
      // A trustline fixes it, and the authorization was never used up.
      await submit(stack, bare, [trustUsdc(stack)]);
      assert.equal((await settle(request)).success, true);
    });

    it('payTo does not exist', async () => {
      await refused(await pay({}, payer, STRANGER), 'missing_trustline_recipient', payer, STRANGER);
    });

    it("[spec: Facilitator codes/unsupported_credential_type] [spec: POST /verify and POST /settle/Simulation source] the payer's own account as source", async () => {
      const request = await pay({ source: payer.publicKey, entry: { kind: 'sourceAccount' } });
      await refused(request, 'unsupported_credential_type');
    });

    it('a signature of another key', async () => {
      await refused(await pay({ entry: { signer: STRANGER } }), 'signature_invalid');
    });

    it('no signature', async () => {
      await refused(await pay({ entry: { signer: null } }), 'missing_payer_signature');
    });

    it('no authorization', async () => {
      await refused(await pay({ entries: () => [] }), 'no_auth_entries');
    });

    it('an authorization of someone else beside the payer', async () => {
      const stranger = await openAccount(stack);
      const request = await pay({
        entries: (right) => [right, { ...right, by: stranger.address, signer: stranger }],
      });
      await refused(request, 'unexpected_authorization');
    });

    it('[spec: Authentication/Expiry] an expired authorization', async () => {
      const expirationLedger = await stack.network.getLatestLedger();
      await refused(await pay({ entry: { expirationLedger } }), 'signature_expired');
    });

    it('an authorization that outlives maxTimeoutSeconds and the tolerance', async () => {
      const expirationLedger = (await stack.network.getLatestLedger()) + 2_000;
      await refused(await pay({ entry: { expirationLedger } }), 'signature_expiration_too_far');
    });

    it('a fee below what the simulation needs', async () => {
      await refused(await pay({ fee: 100 }), 'fee_below_minimum');
    });

    it('an account of the facilitator as source', async () => {
      const { sponsor } = stack.ledger.accounts;
      const source = decodeStrKey('account', sponsor.address);
      assert.ok(source);
      await refused(await pay({ source }), 'unsafe_source');
    });

    it('an asset that is not a contract on the ledger', async () => {
      const parts = { asset: OTHER_ASSET, requirements: { asset: OTHER_ASSET } };
      await refused(await pay(parts), 'simulation_failed');
    });
  });

  it('[spec: Settlement outcomes/Never submitted] an authorization that failed before submission can be used again', async () => {
    const poor = await openSeller(stack);
    const request = await pay({}, poor);
    assert.equal((await settle(request)).success, false);
    const rich = await openPayer(stack);
    const topUp = await pay({}, rich, poor);
    assert.equal((await settle(topUp)).success, true);
    assert.equal((await settle(request)).success, true);
  });
});
