import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { contractEvent } from '../../../../../test/support/events.ts';
import { OTHER_ASSET, PAYER, SELLER, STRANGER, USDC } from '../../../../../test/support/payment.ts';
import { testClock } from '../../../../../test/support/testClock.ts';
import {
  assetContract,
  contractBalance,
  failure,
  success,
  type Told,
  toldLedger,
  trustline,
} from '../../../../../test/support/toldLedger.ts';
import {
  ACTUAL,
  CEILING,
  CONTRACT,
  type UptoParts,
  uptoRequest,
} from '../../../../../test/upto/uptoPayment.ts';
import { toI128 } from '../../../../protocol/stellar/index.ts';
import { prepareUpto } from './prepareUpto.ts';
import { simulateUpto, uptoScheme } from './uptoScheme.ts';

const RULES = {
  contract: CONTRACT,
  own: new Set<never>(),
  maxTxFeeStroops: 500_000n,
  inclusionFeeStroops: 100n,
};
const ISSUED = { code: 'USDC', issuer: STRANGER.address };
const USDC_CONTRACT = assetContract(USDC, ISSUED);
const AUTH = 'HostError: Error(Auth, InvalidAction)';
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

async function networkThat(told: Told) {
  const ledger = await toldLedger(told);
  open.push(ledger);
  return ledger.network;
}

function payment(parts: UptoParts = {}, actual = ACTUAL) {
  const extra = { actualAmount: actual.toString() };
  const prepared = prepareUpto(uptoRequest({ ...parts, extra }), 'settle', RULES);
  assert.ok(prepared.ok, prepared.ok ? '' : prepared.rejection.code);
  return prepared.value;
}

/** The transfer of the used amount. */
const moved = (amount = ACTUAL) => contractEvent({ data: toI128(amount) });

async function judge(told: Told, parts: UptoParts = {}, actual = ACTUAL) {
  return simulateUpto(payment(parts, actual), 'AAAA', await networkThat(told), RULES);
}

const code = ({ checked }: Awaited<ReturnType<typeof judge>>) =>
  checked.ok ? 'ok' : checked.rejection.code;

describe('A payment of scheme upto on the ledger', () => {
  const simulated = (parts: Parameters<typeof success>[0] = {}) => ({
    simulations: [success({ events: [moved()], ...parts })],
  });

  it('that simulates to its one transfer is valid, with the simulation’s result', async () => {
    const { checked, maybeSkew } = await judge(simulated({ minResourceFee: 70_001n }));
    assert.ok(checked.ok);
    assert.equal(checked.value.minResourceFee, 70_001n);
    assert.equal(maybeSkew, false);
  });

  it('that is refused names its payer', async () => {
    const { checked } = await judge(simulated({ events: [] }));
    assert.ok(!checked.ok);
    assert.equal(checked.rejection.payer, PAYER.address);
    assert.equal(checked.rejection.code, 'upto_no_transfer_event');
  });

  it('[spec: Limits/Fee ceiling] is judged by the bid: the resource fee and twice the inclusion fee', async () => {
    assert.equal(code(await judge(simulated({ minResourceFee: 499_800n }))), 'ok');
    const { checked } = await judge(simulated({ minResourceFee: 499_801n }));
    assert.ok(!checked.ok);
    assert.equal(checked.rejection.code, 'upto_fee_exceeds_maximum');
    assert.match(checked.rejection.detail ?? '', /500001.*500000/);
  });

  it('of zero needs funds for the whole ceiling: otherwise the sponsor would pay for nothing', async () => {
    const withBalance = (balance: bigint, actual: bigint) =>
      judge(
        {
          simulations: [success({ events: actual === 0n ? [] : [moved(actual)] })],
          entries: [
            USDC_CONTRACT,
            trustline(SELLER.address, ISSUED, 0n),
            trustline(PAYER.address, ISSUED, balance),
          ],
        },
        {},
        actual,
      );
    const { checked } = await withBalance(CEILING - 1n, 0n);
    assert.deepEqual(!checked.ok && checked.rejection, {
      ...{ code: 'upto_insufficient_funds', payer: PAYER.address },
      detail: `${CEILING - 1n} held, ${CEILING} required`,
    });
    assert.equal(code(await withBalance(CEILING, 0n)), 'ok');
    // More than zero needs funds for itself alone, since the seller has delivered; the simulation has shown them.
    assert.equal(code(await withBalance(0n, 1n)), 'ok');
  });

  it('is judged by fee, then events, then authorization', async () => {
    const unsigned: UptoParts = { signer: null };
    const costly = simulated({ minResourceFee: 600_000n, events: [] });
    assert.equal(code(await judge(costly, unsigned)), 'upto_fee_exceeds_maximum');
    assert.equal(code(await judge(simulated({ events: [] }), unsigned)), 'upto_no_transfer_event');
    assert.notEqual(code(await judge(simulated(), unsigned)), 'ok');
  });

  it('whose simulation fails is explained by its authorization if that is invalid in itself', async () => {
    const expired: UptoParts = { terms: { expirationLedger: 1_000 } };
    assert.equal(code(await judge({ simulations: [failure(AUTH)] }, expired)), 'upto_expired');
  });

  it('[spec: Versioning/uptoContract] states in its kind who pays fees, up to what, and which contract settles', async () => {
    const scheme = uptoScheme(await networkThat({}), RULES, testClock());
    assert.equal(scheme.name, 'upto');
    assert.deepEqual(scheme.extra, {
      areFeesSponsored: true,
      maxTransactionFeeStroops: '500000',
      uptoContract: CONTRACT,
    });
  });
});

describe('[spec: POST /verify and POST /settle/Skew guard] A refusal of upto that might come from a server behind the others', () => {
  it('an expiration a minute of ledgers too far, not more', async () => {
    const skewed = async (expirationLedger: number) => {
      const told = { simulations: [success({ events: [moved()] })] };
      const judged = await judge(told, { terms: { expirationLedger } });
      assert.equal(code(judged), 'upto_expiration_too_far');
      return judged.maybeSkew;
    };
    assert.equal(await skewed(1_000 + 17_280 + 12), true);
    assert.equal(await skewed(1_000 + 17_280 + 13), false);
  });

  it('any refusal, at a ledger that is older than one seen before, and it is checked once more', async () => {
    const good = success({ events: [moved()] });
    const network = await networkThat({
      simulations: [good, success({ latestLedger: 999, events: [] }), good],
    });
    assert.ok((await simulateUpto(payment(), 'AAAA', network, RULES)).checked.ok);
    const scheme = uptoScheme(network, RULES, testClock());
    assert.ok((await scheme.simulate(payment(), 'AAAA')).ok);
  });
});

describe('Why a payment of scheme upto does not simulate', () => {
  async function explain(
    error: string,
    {
      entries = [],
      returned,
      parts = {},
      actual = ACTUAL,
    }: Told & {
      readonly returned?: xdr.ScVal;
      readonly parts?: UptoParts;
      readonly actual?: bigint;
    } = {},
  ) {
    const asked = returned === undefined ? [] : [success({ events: [], returned })];
    const simulations = [failure(error), ...asked];
    const { checked } = await judge({ simulations, entries }, parts, actual);
    assert.ok(!checked.ok);
    return checked.rejection;
  }
  const SOUND = [
    USDC_CONTRACT,
    trustline(SELLER.address, ISSUED, 0n),
    trustline(PAYER.address, ISSUED, ACTUAL),
  ];

  for (const [number, refusal] of [
    [203, 'upto_actual_exceeds_ceiling'],
    [204, 'upto_expired'],
    [205, 'upto_expiration_too_far'],
  ] as const) {
    it(`the contract refuses with #${number}: ${refusal}`, async () => {
      const error = `HostError: Error(Contract, #${number})`;
      assert.deepEqual(await explain(error), {
        code: refusal,
        detail: error,
        payer: PAYER.address,
      });
    });
  }

  it('[spec: Upto authorization/Replayed] the nonce is used: the contract reports what it settled', async () => {
    const used = 'HostError: Error(Contract, #206)';
    const told = await explain(used, { returned: toI128(5n) });
    assert.equal(told.code, 'upto_nonce_used');
    assert.equal(told.detail, 'the ledger has settled 5 under this nonce');
    // If the contract returns nothing, the explanation does not mention an amount.
    const nothing = await explain(used, { returned: xdr.ScVal.scvVoid() });
    assert.notEqual(nothing.code, 'upto_nonce_used');
  });

  it('what the contract cannot know of the nonce is not reported', async () => {
    const used = failure('HostError: Error(Contract, #206)');
    const { checked } = await judge({ simulations: [used, failure('HostError: gone')] });
    assert.equal(!checked.ok && checked.rejection.code, 'upto_simulation_failed');
  });

  it('another refusal of a contract has nothing to do with the nonce', async () => {
    const told = await explain('HostError: Error(Contract, #10)', { returned: toI128(5n) });
    assert.equal(told.code, 'upto_simulation_failed');
  });

  it('archived entries would have to be restored first', async () => {
    const archived = {
      ...success(),
      restorePreamble: { minResourceFee: '1', transactionData: '' },
    };
    const { checked } = await judge({ simulations: [archived] });
    assert.equal(!checked.ok && checked.rejection.code, 'upto_restore_required');
  });

  it('the recipient has no trustline', async () => {
    const { code: told } = await explain('HostError: Error(Contract, #13)', {
      entries: [USDC_CONTRACT, trustline(PAYER.address, ISSUED, ACTUAL)],
    });
    assert.equal(told, 'upto_missing_trustline_recipient');
  });

  it('the payer has less than the actual amount', async () => {
    const withBalance = (balance: bigint) =>
      explain('HostError: Error(Contract, #10)', {
        entries: [...SOUND.slice(0, 2), trustline(PAYER.address, ISSUED, balance)],
      });
    const told = await withBalance(ACTUAL - 1n);
    assert.equal(told.code, 'upto_insufficient_funds');
    assert.equal(told.detail, `${ACTUAL - 1n} held, ${ACTUAL} required`);
    assert.equal((await withBalance(ACTUAL)).code, 'upto_simulation_failed');
  });

  it('a payer of zero lacks nothing, and other tokens’ balances are unknown', async () => {
    const error = 'HostError: Error(Contract, #10)';
    const nothing = await explain(error, { entries: [USDC_CONTRACT], actual: 0n });
    assert.equal(nothing.code, 'upto_simulation_failed');
    assert.equal((await explain(error)).code, 'upto_simulation_failed');
  });

  it('the host refused the signature of an account', async () => {
    assert.equal((await explain(AUTH, { entries: SOUND })).code, 'upto_signature_invalid');
  });

  it('[spec: Authentication/Policy refusal] a smart account refused, with a description if it is known', async () => {
    const entries = [
      USDC_CONTRACT,
      trustline(SELLER.address, ISSUED, 0n),
      contractBalance(USDC, OTHER_ASSET, CEILING),
    ];
    const parts: UptoParts = { terms: { from: OTHER_ASSET } };
    const error = `${AUTH}\n  0: topics:[error, Error(Contract, #110)]\n  1: topics:[error, Error(Contract, #1)]`;
    const told = await explain(error, { entries, parts });
    assert.equal(told.code, 'upto_spending_policy_refused');
    assert.match(told.detail ?? '', /#1, wrapped as #110/);
  });

  it('[spec: Upto authorization/Replayed] for one that failed on the ledger, the contract reports the same', async () => {
    const scheme = uptoScheme(
      await networkThat({ simulations: [success({ events: [], returned: toI128(9n) })] }),
      RULES,
      testClock(),
    );
    assert.match((await scheme.explainFailed?.(payment())) ?? '', /settled 9 under this nonce/);
  });
});
