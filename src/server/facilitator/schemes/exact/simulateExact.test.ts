import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type EntryParts, PAYER, paymentRequest } from '../../../../../test/support/payment.ts';
import { testClock } from '../../../../../test/support/testClock.ts';
import { failure, success, type Told, toldLedger } from '../../../../../test/support/toldLedger.ts';
import { exactScheme, prepareExact } from './exactScheme.ts';
import { simulateExact } from './simulateExact.ts';

const RULES = {
  own: new Set<never>(),
  maxTxFeeStroops: 500_000n,
  inclusionFeeStroops: 100n,
  expiryToleranceLedgers: 6,
};
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

async function networkThat(told: Told) {
  const ledger = await toldLedger(told);
  open.push(ledger);
  return ledger.network;
}

function payment(entry: EntryParts = {}, fee = 100_000) {
  const prepared = prepareExact(paymentRequest({ entries: [entry], fee }), RULES.own);
  assert.ok(prepared.ok);
  return prepared.value;
}

async function judge(simulation: object, entry: EntryParts = {}, fee?: number) {
  const network = await networkThat({ simulations: [simulation] });
  return simulateExact(payment(entry, fee), 'AAAA', network, RULES);
}

const code = ({ checked }: Awaited<ReturnType<typeof judge>>) =>
  checked.ok ? 'ok' : checked.rejection.code;

describe('A payment of scheme exact on the ledger', () => {
  it('that simulates to its one transfer is valid, with the simulation’s result', async () => {
    const { checked, maybeSkew } = await judge(success({ minResourceFee: 60_001n }));
    assert.ok(checked.ok);
    assert.equal(checked.value.minResourceFee, 60_001n);
    assert.equal(maybeSkew, false);
  });

  it('that is refused names its payer', async () => {
    const { checked } = await judge(success({ events: [] }));
    assert.ok(!checked.ok);
    assert.deepEqual(checked.rejection, { code: 'no_transfer_events', payer: PAYER.address });
  });

  it('[spec: Limits/Fee ceiling] is judged by the bid: the resource fee and twice the inclusion fee', async () => {
    assert.equal(code(await judge(success({ minResourceFee: 499_800n }), {}, 500_000)), 'ok');
    assert.equal(
      code(await judge(success({ minResourceFee: 499_801n }), {}, 500_000)),
      'fee_exceeds_maximum',
    );
    assert.equal(
      code(await judge(success({ minResourceFee: 60_000n }), {}, 59_999)),
      'fee_below_minimum',
    );
  });

  it('a resource fee in the transaction data is bid, so it is judged too', async () => {
    const rogue = success({ minResourceFee: 60_000n, resourceFee: 2n ** 62n });
    assert.equal(code(await judge(rogue)), 'fee_exceeds_maximum');
  });

  it('is judged by fee, then events, then authorization', async () => {
    const expired = { expirationLedger: 1_000 };
    const costly = success({ minResourceFee: 600_000n, events: [] });
    assert.equal(code(await judge(costly, expired, 600_000)), 'fee_exceeds_maximum');
    assert.equal(code(await judge(success({ events: [] }), expired)), 'no_transfer_events');
    assert.equal(code(await judge(success(), expired)), 'signature_expired');
  });

  it('[spec: Authentication/Expiry] can be signed for maxTimeoutSeconds in ledgers, and six more', async () => {
    const until = async (expirationLedger: number) =>
      code(await judge(success(), { expirationLedger }));
    assert.equal(await until(1_066), 'ok');
    assert.equal(await until(1_067), 'signature_expiration_too_far');
  });

  it('[spec: Supported kinds/areFeesSponsored] is of a kind that states who pays fees, and up to what', async () => {
    const scheme = exactScheme(await networkThat({ simulations: [success()] }), RULES, testClock());
    assert.equal(scheme.name, 'exact');
    assert.deepEqual(scheme.extra, { areFeesSponsored: true, maxTransactionFeeStroops: '500000' });
    const prepared = scheme.prepare(paymentRequest(), 'settle');
    assert.ok(prepared.ok);
    assert.ok((await scheme.simulate(prepared.value, 'AAAA')).ok);
  });

  describe('whose simulation fails', () => {
    it('is explained by its authorization if that is invalid in itself', async () => {
      const wrong = failure('HostError: Error(Auth, InvalidAction)');
      assert.equal(code(await judge(wrong, { signer: null })), 'missing_payer_signature');
    });

    it('an answer from before it ran names no ledger, and does not judge the expiration', async () => {
      const early = { ...failure('Transaction memo is not supported'), latestLedger: 0 };
      const { checked, maybeSkew } = await judge(early);
      assert.ok(!checked.ok);
      assert.equal(checked.rejection.code, 'simulation_failed');
      assert.match(checked.rejection.detail ?? '', /memo is not supported/);
      assert.equal(maybeSkew, false);
    });

    it('else by what the ledger shows', async () => {
      assert.equal(
        code(await judge(failure('HostError: Error(WasmVm, InvalidAction)'))),
        'simulation_failed',
      );
    });
  });
});

describe('[spec: POST /verify and POST /settle/Skew guard] A refusal that might come from a server behind the others', () => {
  const skewed = async (expirationLedger: number) =>
    (await judge(success(), { expirationLedger })).maybeSkew;

  it('an expiration a minute of ledgers too far, not more', async () => {
    assert.equal(await skewed(1_078), true);
    assert.equal(await skewed(1_079), false);
  });

  it('any refusal, at a ledger that is older than one seen before', async () => {
    const network = await networkThat({
      simulations: [success(), success({ latestLedger: 999, events: [] }), success({ events: [] })],
    });
    const look = () => simulateExact(payment(), 'AAAA', network, RULES);
    assert.deepEqual((await look()).maybeSkew, false);
    assert.deepEqual((await look()).maybeSkew, true);
    assert.deepEqual((await look()).maybeSkew, false);
  });
});
