import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginOp, createAccountOp, endOp } from '../../../test/helpers/testOperations.ts';
import { accountNamed, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { INT64_MAX } from '../balances/index.ts';

describe('an account is created with a balance from the source', () => {
  const world = new TestWorld({ ledgerSeq: 77 });
  const alice = world.account('alice', 100n * XLM);
  const bob = accountNamed('bob');

  it('moves the starting balance and starts the sequence at the ledger number', () => {
    assert.equal(world.one(alice, createAccountOp(bob, 10n * XLM)), 'success');
    assert.equal(world.get(alice).balance, 90n * XLM);
    assert.equal(world.get(bob).balance, 10n * XLM);
    assert.equal(world.get(bob).seqNum, 77n << 32n);
    assert.deepEqual([...world.get(bob).thresholds.value], [1, 0, 0, 0]);
  });

  it('refuses an account that exists', () => {
    assert.equal(world.one(alice, createAccountOp(bob, 10n * XLM)), 'alreadyExist');
  });

  it('refuses a negative balance and itself as destination', () => {
    assert.equal(world.one(alice, createAccountOp(accountNamed('x'), -1n)), 'malformed');
    assert.equal(world.one(alice, createAccountOp(alice, XLM)), 'malformed');
  });
});

describe('a new account needs two base reserves, and the source must keep its own', () => {
  const world = new TestWorld();
  const alice = world.account('alice', 10n * XLM);

  it('refuses a balance below two reserves, before it looks at the source', () => {
    const carol = accountNamed('carol');
    assert.equal(world.one(alice, createAccountOp(carol, 2n * RESERVE - 1n)), 'lowReserve');
  });

  it('refuses an amount that would leave the source below its reserve', () => {
    const carol = accountNamed('carol');
    const spendable = 10n * XLM - 2n * RESERVE;
    assert.equal(world.one(alice, createAccountOp(carol, spendable + 1n)), 'underfunded');
    assert.equal(world.one(alice, createAccountOp(carol, INT64_MAX)), 'underfunded');
    assert.equal(world.one(alice, createAccountOp(carol, spendable)), 'success');
    assert.equal(world.get(alice).balance, 2n * RESERVE);
  });
});

describe('a sponsored account can start with nothing (CAP-33)', () => {
  it('puts two reserves on the sponsor and none on the account', () => {
    const world = new TestWorld();
    const alice = world.account('alice', 2n * RESERVE);
    const sponsor = world.account('sponsor', 4n * RESERVE);
    const bob = accountNamed('bob');
    const outcome = world.apply(
      [sponsor, beginOp(bob)],
      [alice, createAccountOp(bob, 0n)],
      [bob, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
    assert.equal(world.get(bob).balance, 0n);
  });

  it('requires two reserves from the sponsor', () => {
    const world = new TestWorld();
    const sponsor = world.account('sponsor', 4n * RESERVE - 1n);
    const bob = accountNamed('bob');
    const { results } = world.apply([sponsor, beginOp(bob)], [sponsor, createAccountOp(bob, 0n)]);
    assert.deepEqual(results, ['success', 'lowReserve']);
  });

  it('counts the reserves of a sponsor that also pays the balance', () => {
    const world = new TestWorld();
    const sponsor = world.account('sponsor', 4n * RESERVE + XLM);
    const bob = accountNamed('bob');
    const steps = (amount: bigint) =>
      world.apply([sponsor, beginOp(bob)], [sponsor, createAccountOp(bob, amount)], [bob, endOp()]);
    assert.deepEqual(steps(XLM + 1n).results, ['success', 'underfunded', 'opNoAccount']);
    assert.equal(steps(XLM).code, 'txSuccess');
  });
});
