import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  by,
  keyOf,
  parse,
  pay,
  resultsOf,
  TestNetwork,
  XLM,
} from '../../test/helpers/testNetwork.ts';
import type { LocalKey } from '../genesis/index.ts';
import type { AppliedLedger } from './applyLedger.ts';

let network: TestNetwork;
let alice: LocalKey;
let bob: LocalKey;
let sponsor: LocalKey;

beforeEach(async () => {
  network = await TestNetwork.open({ classicEvents: true });
  alice = network.account('alice');
  bob = network.account('bob');
  sponsor = network.account('sponsor');
});

const metaOf = (applied: AppliedLedger, at = 0): xdr.TransactionMetaV4 => {
  const meta = applied.txProcessing[at]?.txApplyProcessing;
  assert.ok(meta?.type === 'v4');
  return meta.v4;
};
const kinds = (changes: readonly xdr.LedgerEntryChange[]): string =>
  changes.map(({ type }) => type.replace('ledgerEntry', '').toUpperCase()).join(' ');

describe('Fees', () => {
  it('are charged for all before the first is applied, by the base fee of the component', () => {
    const first = network.signed({ source: alice, operations: [pay(bob, XLM)], fee: 5_000n });
    const applied = network.close([first]);
    assert.equal(applied.records[0]?.outcome.feeCharged, 100n);
    assert.equal(network.state.header.feePool, 100n);
    assert.equal(kinds(applied.txProcessing[0]?.feeProcessing ?? []), 'STATE UPDATED');
    assert.equal(network.accountOf(alice)?.balance, 999n * XLM - 100n);
  });

  it('of a fee bump are charged to its source, and counted for one operation more', () => {
    const inner = network.signed({ source: alice, operations: [pay(bob, XLM)], fee: 0n });
    const applied = network.close([network.feeBump(inner, sponsor, 10_000n)]);
    assert.deepEqual(resultsOf(applied), ['txFeeBumpInnerSuccess: txSuccess']);
    assert.equal(network.accountOf(sponsor)?.balance, 1_000n * XLM - 200n);
    assert.equal(network.accountOf(alice)?.balance, 999n * XLM);
  });

  it('take the rest of a balance that does not cover them, even from the reserve', () => {
    const poor = network.account('poor', { balance: 40n });
    const applied = network.close([network.signed({ source: poor, operations: [pay(bob, 1n)] })]);
    assert.deepEqual(resultsOf(applied), ['txInsufficientBalance']);
    assert.equal(applied.records[0]?.outcome.feeCharged, 40n);
    assert.equal(network.accountOf(poor)?.balance, 0n);
    assert.equal(network.accountOf(poor)?.seqNum, 1n);
  });

  it('are reported as an event before all transactions', () => {
    const applied = network.close([network.signed({ source: alice, operations: [pay(bob, 1n)] })]);
    const [event, ...others] = metaOf(applied).events;
    assert.equal(event?.stage.name, 'transactionEventStageBeforeAllTxs');
    assert.equal(others.length, 0);
  });
});

describe('A transaction that fails', () => {
  it('uses up its number and changes nothing else', () => {
    const draft = { source: alice, operations: [pay(bob, XLM), pay(bob, 5_000n * XLM)] };
    const applied = network.close([network.signed(draft)]);
    assert.deepEqual(resultsOf(applied), ['txFailed']);
    assert.equal(network.accountOf(alice)?.seqNum, 1n);
    assert.equal(network.accountOf(bob)?.balance, 1_000n * XLM);
    assert.deepEqual(metaOf(applied).operations, []);
  });

  it('has a result for every operation, including those after the failure', () => {
    const draft = {
      source: alice,
      operations: [pay(bob, 5_000n * XLM), pay(bob, XLM), pay(keyOf('nobody'), XLM)],
    };
    const { outcome } = network.close([network.signed(draft)]).records[0] ?? {};
    const inner = outcome?.operations.map((result) =>
      result.type === 'opInner' ? result.tr.value.type : result.type,
    );
    assert.deepEqual(inner, ['paymentUnderfunded', 'paymentSuccess', 'paymentNoDestination']);
  });

  it('because of an operation’s missing signature leaves the others’ results at zero', () => {
    const merge = xdr.OperationBody.accountMerge(
      xdr.MuxedAccount.keyTypeEd25519(bob.publicKey.ed25519),
    );
    const draft = { source: alice, operations: [merge, by(sponsor, pay(bob, 1n))] };
    const { outcome } = network.close([network.signed(draft)]).records[0] ?? {};
    const [first, second] = outcome?.operations ?? [];
    assert.equal(second?.type, 'opBadAuth');
    assert.ok(first?.type === 'opInner' && first.tr.type === 'accountMerge');
    const { accountMergeResult: merged } = first.tr;
    assert.ok(merged.type === 'accountMergeSuccess');
    assert.equal(merged.sourceAccountBalance, 0n);
    assert.ok(network.accountOf(alice) !== undefined);
  });

  it('with a number that is not the next does not touch its account', () => {
    const applied = network.close([
      network.signed({ source: alice, operations: [pay(bob, 1n)], seqNum: 9n }),
    ]);
    assert.deepEqual(resultsOf(applied), ['txBadSeq']);
    assert.deepEqual(metaOf(applied).txChangesBefore, []);
    assert.equal(network.accountOf(alice)?.seqNum, 0n);
  });

  it('because its number is too young still uses it up', () => {
    const cond = xdr.Preconditions.precondV2(
      new xdr.PreconditionsV2({
        timeBounds: null,
        ledgerBounds: null,
        minSeqNum: null,
        minSeqAge: 2n ** 40n,
        minSeqLedgerGap: 0,
        extraSigners: [],
      }),
    );
    const draft = { source: alice, operations: [pay(bob, 1n)], cond };
    assert.deepEqual(resultsOf(network.close([network.signed(draft)])), ['txBadMinSeqAgeOrGap']);
    assert.equal(network.accountOf(alice)?.seqNum, 1n);
  });
});

describe('A number that is used up', () => {
  it('is recorded with ledger and close time (CAP-21)', () => {
    network.close([network.signed({ source: alice, operations: [pay(bob, 1n)] })]);
    const ext = network.accountOf(alice)?.ext;
    assert.ok(ext?.type === 'v1' && ext.v1.ext.type === 'v2' && ext.v1.ext.v2.ext.type === 'v3');
    const { seqLedger, seqTime } = ext.v1.ext.v2.ext.v3;
    assert.equal(seqLedger, network.state.header.ledgerSeq);
    assert.equal(seqTime, network.state.header.scpValue.closeTime);
  });
});

describe('A signer that authorized one transaction in advance', () => {
  const preAuthorized = (hash: Uint8Array) => ({
    signers: [new xdr.Signer({ key: xdr.SignerKey.signerKeyTypePreAuthTx(hash), weight: 1 })],
  });

  it('is removed with it, whether it succeeds or not', () => {
    for (const [name, amount] of [
      ['success', 1n],
      ['failure', 5_000n * XLM],
    ] as const) {
      const source = keyOf(name);
      const draft = { source, operations: [pay(bob, amount)], seqNum: 1n };
      const unsigned = network.signed(draft, []);
      network.account(name, preAuthorized(parse(unsigned).hash));
      const applied = network.close([unsigned]);
      assert.deepEqual(resultsOf(applied), [amount === 1n ? 'txSuccess' : 'txFailed']);
      assert.deepEqual(network.accountOf(source)?.signers, []);
      assert.equal(network.accountOf(source)?.numSubEntries, 0);
    }
  });

  it('of the source of a fee bump is removed as well', () => {
    const inner = network.signed({ source: alice, operations: [pay(bob, 1n)] });
    const payer = keyOf('payer');
    const bump = network.feeBump(inner, payer, 400n, []);
    network.account('payer', preAuthorized(parse(bump).hash));
    const applied = network.close([bump]);
    assert.deepEqual(resultsOf(applied), ['txFeeBumpInnerSuccess: txSuccess']);
    assert.deepEqual(network.accountOf(payer)?.signers, []);
  });
});

describe('A change before the operations', () => {
  it('is reported for the source, and for the source of a fee bump before it', () => {
    const plain = network.close([network.signed({ source: alice, operations: [pay(bob, 1n)] })]);
    assert.equal(kinds(metaOf(plain).txChangesBefore), 'STATE UPDATED');
    const inner = network.signed({ source: alice, operations: [pay(bob, 1n)] });
    const bumped = network.close([network.feeBump(inner, sponsor, 400n)]);
    assert.equal(kinds(metaOf(bumped).txChangesBefore), 'STATE UPDATED STATE UPDATED');
  });
});

describe('A sponsorship that is not ended', () => {
  it('makes the whole transaction fail', () => {
    const begin = xdr.OperationBody.beginSponsoringFutureReserves(
      new xdr.BeginSponsoringFutureReservesOp({ sponsoredId: bob.publicKey }),
    );
    const applied = network.close([network.signed({ source: alice, operations: [begin] })]);
    assert.deepEqual(resultsOf(applied), ['txBadSponsorship']);
    assert.deepEqual(metaOf(applied).operations, []);
  });
});

describe('Merging an account', () => {
  it('is refused while a transaction of the same ledger still needs its number (CAP-21)', () => {
    const merge = xdr.OperationBody.accountMerge(
      xdr.MuxedAccount.keyTypeEd25519(bob.publicKey.ed25519),
    );
    const first = network.signed({ source: bob, operations: [by(alice, merge)] }, [bob, alice]);
    const seqNum = (BigInt(network.state.header.ledgerSeq) + 5n) << 32n;
    const later = network.signed({ source: alice, operations: [pay(bob, 1n)], seqNum });
    const { outcome } = network.apply([first, later]).records[0] ?? {};
    const [result] = outcome?.operations ?? [];
    assert.ok(result?.type === 'opInner' && result.tr.type === 'accountMerge');
    assert.equal(result.tr.accountMergeResult.type, 'accountMergeSeqnumTooFar');
  });
});
