import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  beginOp,
  createAccountOp,
  dataOp,
  endOp,
  keySigner,
  mergeOp,
  signerOp,
} from '../../../test/helpers/testOperations.ts';
import { accountNamed, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { LedgerTxn } from '../../state/index.ts';
import { ACCOUNT_FLAGS, INT64_MAX, setMaxSeqNumToApply } from '../balances/index.ts';

const LEDGER = 100;
const START = BigInt(LEDGER) << 32n;

function merged(change: Partial<xdr.AccountEntry> = {}): string {
  const world = new TestWorld({ ledgerSeq: LEDGER });
  const alice = world.account('alice', 5n * XLM, change);
  const bob = world.account('bob', XLM);
  return world.one(alice, mergeOp(bob));
}

describe('a merged account leaves its balance to another and is gone', () => {
  it('moves all of it, the reserve included', () => {
    const world = new TestWorld();
    const alice = world.account('alice', 5n * XLM);
    const bob = world.account('bob', XLM);
    const outcome = world.apply([alice, mergeOp(bob)]);
    const success = xdr.AccountMergeResult.accountMergeSuccess(5n * XLM);
    const result = xdr.OperationResult.opInner(xdr.OperationResultTr.accountMerge(success));
    assert.equal(outcome.code, 'txSuccess');
    assert.equal(outcome.raw[0]?.equals(result), true);
    assert.equal(world.get(bob).balance, 6n * XLM);
    assert.equal(world.has(alice), false);
  });

  it('takes its signers with it', () => {
    const world = new TestWorld();
    const alice = world.account('alice', 5n * XLM);
    const bob = world.account('bob', XLM);
    const sponsor = world.account('sponsor', 10n * XLM);
    const signer = (name: string) => signerOp(keySigner(accountNamed(name)), 1);
    const sponsored = [
      [sponsor, beginOp(alice)],
      [alice, signer('one')],
      [alice, endOp()],
      [alice, signer('two')],
    ] as const;
    assert.equal(world.apply(...sponsored).code, 'txSuccess');
    assert.equal(world.one(alice, mergeOp(bob)), 'success');
    assert.equal(world.has(alice), false);
  });

  it('frees the reserves of the sponsor of the account', () => {
    const world = new TestWorld();
    const sponsor = world.account('sponsor', 10n * XLM);
    const bob = accountNamed('bob');
    world.apply([sponsor, beginOp(bob)], [sponsor, createAccountOp(bob, 0n)], [bob, endOp()]);
    world.nextLedger();
    assert.equal(world.one(bob, mergeOp(sponsor)), 'success');
    assert.equal(world.has(bob), false);
  });
});

describe('merging is refused', () => {
  it('into itself, with and without a multiplexing id', () => {
    const world = new TestWorld();
    const alice = world.account('alice', XLM);
    const muxed = xdr.MuxedAccount.keyTypeMuxedEd25519(
      new xdr.MuxedAccountMed25519({ id: 7n, ed25519: alice.ed25519 }),
    );
    assert.equal(world.one(alice, mergeOp(alice)), 'malformed');
    assert.equal(world.one(alice, mergeOp(muxed)), 'malformed');
  });

  it('into an account that does not exist', () => {
    const world = new TestWorld();
    const alice = world.account('alice', XLM);
    assert.equal(world.one(alice, mergeOp(accountNamed('nobody'))), 'noAccount');
  });

  it('for an immutable account', () => {
    assert.equal(merged({ flags: ACCOUNT_FLAGS.authImmutable }), 'immutableSet');
  });

  it('while it has sub-entries other than signers', () => {
    const world = new TestWorld();
    const alice = world.account('alice', 5n * XLM);
    const bob = world.account('bob', XLM);
    world.apply([alice, dataOp('name', 'value')]);
    assert.equal(world.one(alice, mergeOp(bob)), 'hasSubEntries');
  });

  it('if recreating it in this ledger would set its sequence back', () => {
    assert.equal(merged({ seqNum: START - 1n }), 'success');
    assert.equal(merged({ seqNum: START }), 'seqnumTooFar');
  });

  it('if a transaction of this ledger still uses such a sequence (CAP-21)', () => {
    const world = new TestWorld({ ledgerSeq: LEDGER });
    const alice = world.account('alice', 5n * XLM);
    const bob = world.account('bob', XLM);
    const result = (waiting: bigint): string => {
      const ltx = new LedgerTxn(world.state);
      setMaxSeqNumToApply(ltx, alice, waiting);
      return world.within(ltx, [alice, mergeOp(bob)]).results[0] ?? 'none';
    };
    assert.equal(result(START), 'seqnumTooFar');
    assert.equal(result(START - 1n), 'success');
  });

  it('while it sponsors anything, or has begun to (CAP-33)', () => {
    const world = new TestWorld();
    const alice = world.account('alice', 5n * XLM);
    const bob = world.account('bob', XLM);
    const begun = world.apply([alice, beginOp(bob)], [alice, mergeOp(bob)]);
    assert.deepEqual(begun.results, ['success', 'isSponsor']);
    world.apply([alice, beginOp(bob)], [bob, dataOp('name', 'value')], [bob, endOp()]);
    assert.equal(world.one(alice, mergeOp(bob)), 'isSponsor');
  });

  it('if the destination cannot hold the balance', () => {
    const world = new TestWorld();
    const alice = world.account('alice', 5n * XLM);
    const rich = world.account('rich', INT64_MAX - 5n * XLM + 1n);
    assert.equal(world.one(alice, mergeOp(rich)), 'destFull');
  });
});
