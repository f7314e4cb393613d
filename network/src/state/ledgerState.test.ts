import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  account,
  accountEntry,
  asset,
  assetLineEntry,
  header,
  offerEntry,
  poolShareEntry,
} from '../../test/helpers/testEntries.ts';
import { accountIdString, comparePlaces, entryKeyId, LedgerState, LedgerTxn } from './index.ts';

const offer = (offerId: bigint, n: number, d: number): xdr.LedgerEntry =>
  offerEntry({ seller: 1, offerId, selling: 0, buying: 1, n, d });

function stateOf(...entries: xdr.LedgerEntry[]): LedgerState {
  const state = new LedgerState(header(1));
  for (const entry of entries) state.put(entryKeyId(entry), entry);
  return state;
}

const offerIds = (entries: Iterable<xdr.LedgerEntry>): bigint[] =>
  [...entries].flatMap(({ data }) => (data.type === 'offer' ? [data.offer.offerId] : []));

describe('An order book is sorted by price, then by age', () => {
  it('puts the lowest price first, and of equal prices the older offer', () => {
    const state = stateOf(offer(1n, 2, 1), offer(4n, 1, 2), offer(3n, 2, 4), offer(2n, 3, 1));
    assert.deepEqual(offerIds(state.offersOfMarket(asset(0), asset(1))), [3n, 4n, 1n, 2n]);
    assert.deepEqual(offerIds(state.offersOfMarket(asset(1), asset(0))), []);
  });

  it('treats fractions as equal if they are the same double, like the reference implementation', () => {
    const cheaper = { price: new xdr.Price({ n: 2147483645, d: 2147483646 }), offerId: 2n };
    const dearer = { price: new xdr.Price({ n: 2147483646, d: 2147483647 }), offerId: 1n };
    const cross = (a: xdr.Price, b: xdr.Price): bigint => BigInt(a.n) * BigInt(b.d);
    assert.ok(cross(cheaper.price, dearer.price) < cross(dearer.price, cheaper.price));
    assert.ok(comparePlaces(dearer, cheaper) < 0, 'the older offer comes first');
    assert.ok(comparePlaces({ ...dearer, offerId: 3n }, cheaper) > 0);
  });

  it('returns the first offer after a position', () => {
    const state = stateOf(offer(1n, 1, 1), offer(2n, 2, 1), offer(3n, 4, 2), offer(4n, 3, 1));
    const behind = (offerId: bigint, n: number, d: number): bigint[] => {
      const place = { price: new xdr.Price({ n, d }), offerId };
      const entry = state.peekBestOffer(asset(0), asset(1), place);
      return entry === undefined ? [] : offerIds([entry]);
    };
    assert.deepEqual(behind(1n, 1, 1), [2n]);
    assert.deepEqual(behind(2n, 2, 1), [3n]);
    assert.deepEqual(behind(3n, 2, 1), [4n]);
    assert.deepEqual(behind(4n, 3, 1), []);
  });

  it('follows an offer that changes price, and drops one that is deleted', () => {
    const state = stateOf(offer(1n, 1, 1), offer(2n, 2, 1));
    const ltx = new LedgerTxn(state);
    ltx.update(offer(1n, 3, 1));
    ltx.commit();
    assert.deepEqual(offerIds(state.offersOfMarket(asset(0), asset(1))), [2n, 1n]);
    const next = new LedgerTxn(state);
    next.erase(entryKeyId(offer(2n, 2, 1)));
    next.commit();
    assert.deepEqual(offerIds(state.offersOfMarket(asset(0), asset(1))), [1n]);
    assert.equal(state.offersOf(accountIdString(account(1))).size, 1);
  });
});

describe('A state that is restored from XDR is the state that was saved', () => {
  const entries = [
    accountEntry(1, 5n),
    assetLineEntry(1, 1, 5n),
    poolShareEntry(1, 3, 5n),
    offer(1n, 1, 1),
  ];
  const saved = stateOf(...entries);
  const restored = new LedgerState(header(1));
  for (const { id, xdr: bytes } of saved.entries()) restored.putXdr(id, bytes);

  it('has the same entries and the same hash', () => {
    for (const entry of entries) {
      assert.deepEqual(restored.peek(entryKeyId(entry)), entry);
    }
    assert.deepEqual(restored.stateHash(), saved.stateHash());
  });

  it('has the same indexes', () => {
    const owner = accountIdString(account(1));
    assert.deepEqual(offerIds(restored.offersOfMarket(asset(0), asset(1))), [1n]);
    assert.deepEqual(restored.offersOf(owner), saved.offersOf(owner));
    assert.deepEqual(restored.poolShareTrustlinesOf(owner), saved.poolShareTrustlinesOf(owner));
    assert.equal(restored.poolShareTrustlinesOf(owner).size, 1);
  });

  it('continues like the saved one', () => {
    for (const state of [saved, restored]) {
      const ltx = new LedgerTxn(state);
      ltx.update(accountEntry(1, 6n));
      ltx.erase(entryKeyId(assetLineEntry(1, 1, 5n)));
      ltx.commit();
    }
    assert.deepEqual(restored.stateHash(), saved.stateHash());
    assert.equal(restored.size, 3);
  });
});

describe('The state hash distinguishes states', () => {
  it('changes with a balance and returns with it', () => {
    const state = stateOf(accountEntry(1, 5n), accountEntry(2, 5n));
    const before = state.stateHash();
    const set = (balance: bigint): void => {
      const ltx = new LedgerTxn(state);
      ltx.update(accountEntry(1, balance));
      ltx.commit();
    };
    set(5n);
    const stamped = state.stateHash();
    set(6n);
    assert.notDeepEqual(state.stateHash(), stamped);
    set(5n);
    assert.deepEqual(state.stateHash(), stamped);
    // The ledger that touched the entry is part of it.
    assert.notDeepEqual(stamped, before);
  });

  it('is zero for the empty state, even after entries were added and removed', () => {
    const empty = new LedgerState(header(1)).stateHash();
    assert.deepEqual(empty, Buffer.alloc(32));
    const state = stateOf(accountEntry(1, 5n));
    const ltx = new LedgerTxn(state);
    ltx.erase(entryKeyId(accountEntry(1, 5n)));
    ltx.commit();
    assert.deepEqual(state.stateHash(), empty);
    assert.equal(state.size, 0);
  });
});

describe('Archived entries are kept apart from live ones', () => {
  it('are found in the archive until they are restored', () => {
    const state = new LedgerState(header(1));
    const entry = accountEntry(1, 5n);
    const id = entryKeyId(entry);
    state.archive(id, entry);
    assert.equal(state.archived(id), entry);
    assert.equal(state.peek(id), undefined);
    assert.deepEqual([...state.archivedEntries().keys()], [id]);
    state.unarchive(id);
    assert.equal(state.archived(id), undefined);
  });
});
