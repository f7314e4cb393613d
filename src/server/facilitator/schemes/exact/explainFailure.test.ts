import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  OTHER_ASSET,
  PAYER,
  type PaymentParts,
  paymentRequest,
  SELLER,
  STRANGER,
  USDC,
} from '../../../../../test/support/payment.ts';
import {
  accountWith,
  assetContract,
  contractBalance,
  type Entry,
  ownToken,
  toldLedger,
  trustline,
  usedNonce,
} from '../../../../../test/support/toldLedger.ts';
import { toScAddress } from '../../../../protocol/stellar/index.ts';
import { prepareExact } from './exactScheme.ts';
import { explainFailure } from './simulateExact.ts';

const ISSUED = { code: 'USDC', issuer: STRANGER.address };
const LONG = { code: 'EURODOLLAR', issuer: STRANGER.address };
const USDC_CONTRACT = assetContract(USDC, ISSUED);
const AUTH = 'HostError: Error(Auth, InvalidAction)';
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

interface Failed {
  readonly parts?: PaymentParts;
  readonly error?: string;
  readonly status?: 'failure' | 'restore';
}

async function explain(entries: readonly Entry[], failed: Failed = {}) {
  const { parts = {}, error = 'HostError: Error(Contract, #10)', status = 'failure' } = failed;
  const ledger = await toldLedger({ entries });
  open.push(ledger);
  const prepared = prepareExact(paymentRequest(parts), new Set());
  assert.ok(prepared.ok);
  return explainFailure(prepared.value, { status, latestLedger: 1_000, error }, ledger.network);
}

/** Both have a trustline, and the payer the amount. */
const SOUND = [
  USDC_CONTRACT,
  trustline(SELLER.address, ISSUED, 0n),
  trustline(PAYER.address, ISSUED, 100_000n),
];

describe('Why a payment does not simulate', () => {
  it('archived entries come first', async () => {
    const { code } = await explain([usedNonce(PAYER.address, 42n)], { status: 'restore' });
    assert.equal(code, 'restore_required');
  });

  it('[spec: Facilitator codes/authorization_replayed] its nonce is used', async () => {
    const used = usedNonce(PAYER.address, 42n);
    assert.equal((await explain([used])).code, 'authorization_replayed');
    assert.equal((await explain([...SOUND, used], { error: AUTH })).code, 'authorization_replayed');
    assert.equal(
      (await explain([...SOUND, usedNonce(PAYER.address, 43n)])).code,
      'simulation_failed',
    );
    assert.equal(
      (await explain([...SOUND, usedNonce(SELLER.address, 42n)])).code,
      'simulation_failed',
    );
  });

  it('[spec: Facilitator codes/missing_trustline_recipient] the recipient has no trustline', async () => {
    const without = [USDC_CONTRACT, trustline(PAYER.address, ISSUED, 1n)];
    assert.equal((await explain(without)).code, 'missing_trustline_recipient');
    const ofAnother = trustline(SELLER.address, LONG, 0n);
    assert.equal((await explain([...without, ofAnother])).code, 'missing_trustline_recipient');
  });

  it('a recipient who issues the asset, or is a contract, needs none', async () => {
    const issuer = [assetContract(USDC, { code: 'USDC', issuer: SELLER.address })];
    assert.equal((await explain(issuer)).code, 'insufficient_funds');
    const requirements = { payTo: OTHER_ASSET };
    const toContract = { to: toScAddress(OTHER_ASSET), requirements };
    const entries = [USDC_CONTRACT, trustline(PAYER.address, ISSUED, 100_000n)];
    assert.equal((await explain(entries, { parts: toContract })).code, 'simulation_failed');
  });

  describe('the payer has too little', () => {
    it('of an issued asset: one atomic unit is missing', async () => {
      const [contract, seller] = SOUND;
      assert.ok(contract && seller);
      const poor = [contract, seller, trustline(PAYER.address, ISSUED, 99_999n)];
      assert.deepEqual(await explain(poor), {
        code: 'insufficient_funds',
        detail: '99999 held, 100000 required',
      });
      assert.equal((await explain(SOUND)).code, 'simulation_failed');
    });

    it('of an asset with a code of up to twelve letters', async () => {
      const entries = (balance: bigint) => [
        assetContract(USDC, LONG),
        trustline(SELLER.address, LONG, 0n),
        trustline(PAYER.address, LONG, balance),
      ];
      assert.equal((await explain(entries(99_999n))).code, 'insufficient_funds');
      assert.equal((await explain(entries(100_000n))).code, 'simulation_failed');
    });

    it('without a trustline it has nothing', async () => {
      const [contract, seller] = SOUND;
      assert.ok(contract && seller);
      assert.match((await explain([contract, seller])).detail ?? '', /^0 held/);
    });

    it('of XLM, which needs no trustline', async () => {
      const entries = (balance: bigint) => [
        assetContract(USDC, 'native'),
        accountWith(PAYER.address, balance),
      ];
      assert.equal((await explain(entries(99_999n))).code, 'insufficient_funds');
      assert.equal((await explain(entries(100_000n))).code, 'simulation_failed');
    });

    it('as a contract, whose balance the asset keeps', async () => {
      const parts = { from: OTHER_ASSET, entries: [{ by: OTHER_ASSET }] };
      const entries = (balance: bigint) => [
        USDC_CONTRACT,
        trustline(SELLER.address, ISSUED, 0n),
        contractBalance(USDC, OTHER_ASSET, balance),
      ];
      assert.equal((await explain(entries(99_999n), { parts })).code, 'insufficient_funds');
      assert.equal((await explain(entries(100_000n), { parts })).code, 'simulation_failed');
    });

    it('not as the issuer, which has an unlimited amount', async () => {
      const issuing = { code: 'USDC', issuer: PAYER.address };
      const entries = [assetContract(USDC, issuing), trustline(SELLER.address, issuing, 0n)];
      assert.equal((await explain(entries)).code, 'simulation_failed');
    });

    it('not of a token that keeps its own balances, or without a contract', async () => {
      assert.equal((await explain([ownToken(USDC)])).code, 'simulation_failed');
      assert.equal((await explain([])).code, 'simulation_failed');
    });
  });

  describe('the host refused an authorization', () => {
    it('of an account: its signature', async () => {
      assert.deepEqual(await explain(SOUND, { error: AUTH }), {
        code: 'signature_invalid',
        detail: AUTH,
      });
    });

    it('[spec: Authentication/Policy refusal] of a smart account: its error, with a description if it is known', async () => {
      const parts = { from: OTHER_ASSET, entries: [{ by: OTHER_ASSET }] };
      const entries = [
        USDC_CONTRACT,
        trustline(SELLER.address, ISSUED, 0n),
        contractBalance(USDC, OTHER_ASSET, 100_000n),
      ];
      const told = await explain(entries, {
        parts,
        error: `${AUTH}\n  0: [Diagnostic Event] topics:[error, Error(Contract, #110)]\n  1: topics:[error, Error(Contract, #1)]`,
      });
      assert.equal(told.code, 'spending_policy_refused');
      assert.match(told.detail ?? '', /#1, wrapped as #110/);
      assert.deepEqual(await explain(entries, { parts, error: AUTH }), {
        code: 'spending_policy_refused',
        detail: AUTH,
      });
    });

    it('only if its first line says so', async () => {
      const error = `HostError: Error(Budget, ExceededLimit)\n${AUTH}`;
      assert.deepEqual(await explain(SOUND, { error }), {
        code: 'simulation_failed',
        detail: 'HostError: Error(Budget, ExceededLimit)',
      });
    });
  });

  it('quotes at most 200 letters of the host’s message', async () => {
    const { detail } = await explain(SOUND, { error: 'x'.repeat(300) });
    assert.equal(detail, 'x'.repeat(200));
  });
});
