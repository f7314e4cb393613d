import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { account, accountEntry } from '../../test/helpers/testEntries.ts';
import { EntryStore } from './entryStore.ts';
import { entryKeyId, entryXdr, newAccount, startingSequence } from './index.ts';
import { LedgerStateError } from './ledgerTxn.ts';

const one = accountEntry(1, 5n);
const richer = accountEntry(1, 6n);
const id = entryKeyId(one);

describe('Stored entries', () => {
  it('are the same value as long as nobody replaces them', () => {
    const store = new EntryStore();
    assert.deepEqual(
      [store.get(id), store.glance(id), store.xdr(id)],
      [undefined, undefined, undefined],
    );
    store.set(id, one);
    assert.equal(store.get(id), one);
    assert.equal(store.glance(id), one);
    assert.deepEqual(store.xdr(id), entryXdr(one));
    assert.deepEqual([store.size, [...store.ids()]], [1, [id]]);
  });

  it('are decoded once from their XDR, which is known from then on', () => {
    const store = new EntryStore();
    store.setXdr(id, entryXdr(one));
    assert.deepEqual(store.glance(id), one);
    assert.notEqual(store.glance(id), store.glance(id));
    const read = store.get(id);
    assert.deepEqual(read, one);
    assert.equal(store.get(id), read);
    assert.equal(store.glance(id), read);
    assert.ok(read, 'the entry');
    assert.equal(entryXdr(read), entryXdr(read));
  });

  it('are replaced, also by XDR, and deleted', () => {
    const store = new EntryStore();
    store.set(id, one);
    store.setXdr(id, entryXdr(richer));
    assert.deepEqual(store.get(id), richer);
    assert.equal(store.size, 1);
    store.delete(id);
    store.delete(id);
    assert.deepEqual([store.get(id), store.size], [undefined, 0]);
  });
});

describe('A new account', () => {
  it('is as CreateAccount makes it: its sequence number begins with the ledger', () => {
    assert.equal(startingSequence(3), 3n * 2n ** 32n);
    const created = newAccount(account(1), 70n, 3);
    const { balance, seqNum, numSubEntries, inflationDest, flags, signers, ext } = created;
    assert.deepEqual(
      { balance, seqNum, numSubEntries, inflationDest, flags, signers, ext: ext.type },
      {
        ...{ balance: 70n, seqNum: 3n * 2n ** 32n, numSubEntries: 0, inflationDest: null },
        ...{ flags: 0, signers: [], ext: 'v0' },
      },
    );
    assert.equal(created.homeDomain.toString(), '');
    assert.deepEqual([...created.thresholds.value], [1, 0, 0, 0]);
    assert.deepEqual(created.accountId, account(1));
  });
});

describe('A change that no rule may make', () => {
  for (const [code, message] of [
    ['entry_exists', 'an entry with this key already exists'],
    ['entry_missing', 'no entry with this key exists'],
    ['txn_closed', 'this nested transaction was already committed'],
  ] as const) {
    it(`${code} says so`, () => {
      const error = new LedgerStateError(code);
      assert.deepEqual(
        [error.name, error.code, error.message],
        ['LedgerStateError', code, message],
      );
    });
  }

  it('names the key in hex', () => {
    const { message } = new LedgerStateError('entry_missing', '\0\u00ff');
    assert.equal(message, 'no entry with this key exists (key 00ff)');
  });
});
