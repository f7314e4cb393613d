import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import { dataOp } from '../../../test/helpers/testOperations.ts';
import { RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { dataKeyId } from '../../state/index.ts';

function storedValue(world: TestWorld, account: xdr.PublicKey, name: string): string | undefined {
  const entry = world.state.peek(dataKeyId(account, name));
  return entry?.data.type === 'data'
    ? Buffer.from(entry.data.data.dataValue.value).toString()
    : undefined;
}

describe('an account keeps named values', () => {
  const world = new TestWorld();
  const alice = world.account('alice', 3n * RESERVE);

  it('refuses a name that is empty or not printable ASCII', () => {
    assert.equal(world.one(alice, dataOp('', 'x')), 'invalidName');
    assert.equal(world.one(alice, dataOp('a\tb', 'x')), 'invalidName');
    assert.equal(world.one(alice, dataOp('ü', 'x')), 'invalidName');
  });

  it('keeps one for a reserve', () => {
    assert.equal(world.one(alice, dataOp('one', 'x')), 'success');
    assert.equal(world.get(alice).numSubEntries, 1);
    assert.equal(world.one(alice, dataOp('two', 'x')), 'lowReserve');
  });

  it('changes it without cost, and without touching the account', () => {
    const changes = world.changesOf(alice, dataOp('one', 'y'));
    assert.deepEqual(
      changes.map((change) => change.type),
      ['ledgerEntryState', 'ledgerEntryUpdated'],
    );
    assert.equal(world.one(alice, dataOp('one', 'y')), 'success');
    assert.equal(storedValue(world, alice, 'one'), 'y');
  });

  it('deletes it and returns the reserve', () => {
    assert.equal(world.one(alice, dataOp('two', null)), 'nameNotFound');
    assert.equal(world.one(alice, dataOp('one', null)), 'success');
    assert.equal(storedValue(world, alice, 'one'), undefined);
    assert.equal(world.get(alice).numSubEntries, 0);
  });

  it('keeps the same name of two accounts apart', () => {
    const bob = world.account('bob', XLM * 5n);
    world.apply([alice, dataOp('same', 'a')], [bob, dataOp('same', 'b')]);
    assert.equal(storedValue(world, alice, 'same'), 'a');
    assert.equal(storedValue(world, bob, 'same'), 'b');
  });
});
