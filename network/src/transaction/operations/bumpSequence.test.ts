import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bumpOp } from '../../../test/helpers/testOperations.ts';
import { TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { accountExtensionV3, INT64_MAX } from '../balances/index.ts';

describe('a sequence number can be raised and never lowered', () => {
  const world = new TestWorld({ ledgerSeq: 9, closeTime: 77n });
  const alice = world.account('alice', XLM, { seqNum: 100n });

  it('refuses a negative number', () => {
    assert.equal(world.one(alice, bumpOp(-1n)), 'badSeq');
  });

  it('raises it to any number', () => {
    assert.equal(world.one(alice, bumpOp(101n)), 'success');
    assert.equal(world.get(alice).seqNum, 101n);
    assert.equal(world.one(alice, bumpOp(INT64_MAX)), 'success');
    assert.equal(world.get(alice).seqNum, INT64_MAX);
  });

  it('leaves a higher one unchanged, without an error', () => {
    assert.equal(world.one(alice, bumpOp(5n)), 'success');
    assert.equal(world.get(alice).seqNum, INT64_MAX);
  });

  it('records ledger and time of the change, even if there is none (CAP-21)', () => {
    const bob = world.account('bob', XLM, { seqNum: 100n });
    world.one(bob, bumpOp(1n));
    const v3 = accountExtensionV3(world.get(bob));
    assert.deepEqual([v3?.seqLedger, v3?.seqTime], [9, 77n]);
  });
});
