import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountEntry, header } from '../../test/helpers/testEntries.ts';
import { entryKeyId, type LedgerKeyId, LedgerState, LedgerTxn } from './index.ts';

describe('Indexes that live elsewhere follow the state', () => {
  it('receive each entry that a ledger changed, with its value before', () => {
    const state = new LedgerState(header(1));
    const [first, second, third] = [accountEntry(1, 5n), accountEntry(2, 5n), accountEntry(3, 5n)];
    for (const entry of [first, second]) state.put(entryKeyId(entry), entry);
    const seen: [LedgerKeyId, boolean, boolean][] = [];
    const stop = state.observe(({ id, before, after }) =>
      seen.push([id, before !== undefined, after !== undefined]),
    );

    const ltx = new LedgerTxn(state);
    ltx.erase(entryKeyId(first));
    ltx.create(third);
    ltx.commit();
    assert.deepEqual(seen, [
      [entryKeyId(first), true, false],
      [entryKeyId(third), false, true],
    ]);

    stop();
    const later = new LedgerTxn(state);
    later.erase(entryKeyId(second));
    later.commit();
    assert.equal(seen.length, 2);
    assert.deepEqual([...state.ids()], [entryKeyId(third)]);
  });

  it('read entries without keeping decoded ones', () => {
    const entry = accountEntry(1, 5n);
    const id = entryKeyId(entry);
    const state = new LedgerState(header(1));
    state.putXdr(id, entry.toXdr());
    assert.notEqual(state.glance(id), state.glance(id));
    const kept = state.peek(id);
    assert.equal(state.glance(id), kept);
    assert.deepEqual(kept?.toXdr(), entry.toXdr());
  });
});
