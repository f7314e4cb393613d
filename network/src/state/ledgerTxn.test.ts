import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import {
  account,
  accountEntry,
  asset,
  assetLineEntry,
  header,
  offerEntry,
  poolShareEntry,
} from '../../test/helpers/testEntries.ts';
import {
  accountIdString,
  comparePlaces,
  entryKeyId,
  type LedgerKeyId,
  LedgerState,
  LedgerTxn,
  type OfferPlace,
  type TransientKey,
} from './index.ts';

const ROOT_SEQ = 10;
const base64 = (entry: xdr.LedgerEntry | undefined): string | undefined => entry?.toXdr('base64');

/** What a ledger transaction is said to be: a map over its parent's map. */
class Model {
  readonly parent: Model | undefined;
  readonly own = new Map<LedgerKeyId, xdr.LedgerEntry | undefined>();
  readonly seq: number;

  constructor(seq: number, parent?: Model) {
    this.seq = seq;
    this.parent = parent;
  }

  get(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.own.has(id) ? this.own.get(id) : this.parent?.get(id);
  }

  all(): Map<LedgerKeyId, xdr.LedgerEntry> {
    const all = this.parent?.all() ?? new Map<LedgerKeyId, xdr.LedgerEntry>();
    for (const [id, entry] of this.own) {
      if (entry === undefined) all.delete(id);
      else all.set(id, entry);
    }
    return all;
  }
}

// A small world, so that keys, markets and prices collide often.
const small = fc.integer({ min: 0, max: 2 });
const anyEntry = fc.oneof(
  fc.tuple(small, fc.bigInt(0n, 3n)).map(([n, balance]) => accountEntry(n, balance)),
  fc.tuple(small, small, fc.bigInt(0n, 3n)).map(([n, pool, b]) => poolShareEntry(n, pool, b)),
  fc.tuple(small, fc.bigInt(0n, 3n)).map(([n, balance]) => assetLineEntry(n, 1, balance)),
  fc
    .record({
      offerId: fc.bigInt(1n, 4n),
      selling: fc.constantFrom(0, 1),
      n: fc.integer({ min: 1, max: 3 }),
      d: fc.integer({ min: 1, max: 2 }),
    })
    // An offer id belongs to one seller for ever.
    .map((o) => offerEntry({ ...o, seller: Number(o.offerId % 3n), buying: 1 - o.selling })),
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), entry: anyEntry }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('erase' as const), entry: anyEntry }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('load' as const), entry: anyEntry }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('open' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('commit' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('discard' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const recorded = (entry: xdr.LedgerEntry, seq: number): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: seq });

interface Level {
  readonly ltx: LedgerTxn;
  readonly model: Model;
}

/** Runs a program on the ledger and on the model, and has `check` look at both after each step. */
function run(steps: readonly Step[], check: (level: Level) => void): LedgerState {
  const root = new LedgerState(header(ROOT_SEQ));
  const rootModel = new Model(ROOT_SEQ);
  const levels: Level[] = [];
  const open = (): void => {
    const above = levels.at(-1);
    levels.push({
      ltx: above === undefined ? new LedgerTxn(root) : above.ltx.child(),
      model: new Model(ROOT_SEQ, above?.model ?? rootModel),
    });
  };
  const close = (commit: boolean): void => {
    const level = levels.pop();
    if (level === undefined) return;
    if (commit) {
      level.ltx.commit();
      const target = levels.at(-1)?.model ?? rootModel;
      for (const [id, entry] of level.model.own) {
        if (entry !== undefined || target.get(id) !== undefined) target.own.set(id, entry);
      }
    }
    if (levels.length === 0) open();
  };
  open();
  for (const step of steps) {
    const { ltx, model } = levels.at(-1) as Level;
    if (step.kind === 'open') open();
    else if (step.kind === 'commit') close(true);
    else if (step.kind === 'discard') close(false);
    else {
      const id = entryKeyId(step.entry);
      const present = model.get(id);
      if (step.kind === 'put') {
        if (present === undefined) ltx.create(step.entry);
        else ltx.update(step.entry);
        model.own.set(id, recorded(step.entry, ROOT_SEQ));
      } else if (step.kind === 'erase') {
        if (present === undefined) {
          assert.throws(() => ltx.erase(id), { code: 'entry_missing' });
        } else {
          ltx.erase(id);
          model.own.set(id, undefined);
        }
      } else {
        assert.equal(base64(ltx.load(id)), base64(present));
        if (present !== undefined) model.own.set(id, recorded(present, ROOT_SEQ));
      }
    }
    check(levels.at(-1) as Level);
  }
  while (levels.length > 1) close(true);
  close(true);
  const leaf = new LedgerTxn(root);
  check({ ltx: leaf, model: new Model(ROOT_SEQ, rootModel) });
  return root;
}

const program = fc.array(step, { minLength: 1, maxLength: 60 });

function holds(check: (level: Level) => void): void {
  fc.assert(
    fc.property(program, (steps) => {
      run(steps, check);
    }),
    { numRuns: 150, seed: 1 },
  );
}

describe('Nested changes behave as maps over maps: commit keeps them, discard forgets them', () => {
  it('shows every entry as in the newest level that has it', () => {
    holds(({ ltx, model }) => {
      for (const [id, entry] of model.all()) assert.equal(base64(ltx.peek(id)), base64(entry));
      for (const id of model.own.keys()) {
        assert.equal(base64(ltx.peek(id)), base64(model.get(id)));
      }
    });
  });

  it('refuses to create existing entries, and to update or erase missing ones', () => {
    const ltx = new LedgerTxn(new LedgerState(header(ROOT_SEQ)));
    const entry = accountEntry(1, 1n);
    assert.throws(() => ltx.update(entry), { code: 'entry_missing' });
    assert.throws(() => ltx.erase(entryKeyId(entry)), { code: 'entry_missing' });
    ltx.create(entry);
    assert.throws(() => ltx.child().create(entry), { code: 'entry_exists' });
  });

  it('cannot be committed twice', () => {
    const ltx = new LedgerTxn(new LedgerState(header(ROOT_SEQ)));
    ltx.commit();
    assert.throws(() => ltx.commit(), { code: 'txn_closed' });
  });

  it('passes on the header and the facts of the transaction', () => {
    const fact = 'a fact' as TransientKey;
    const root = new LedgerState(header(ROOT_SEQ));
    const outer = new LedgerTxn(root);
    const dropped = outer.child();
    dropped.header = header(99);
    dropped.setTransient(fact, 1);
    const kept = outer.child();
    assert.equal(kept.header.ledgerSeq, ROOT_SEQ);
    assert.equal(kept.transient(fact), undefined);
    kept.header = header(11);
    kept.setTransient(fact, 2);
    assert.equal(kept.child().header.ledgerSeq, 11);
    kept.commit();
    assert.equal(outer.header.ledgerSeq, 11);
    assert.equal(outer.transient(fact), 2);
    outer.commit();
    assert.equal(root.header.ledgerSeq, 11);
    assert.equal(root.transient(), undefined);
  });
});

describe('The meta of a level has its recorded changes, compared with its parent', () => {
  it('is STATE and UPDATED, STATE and REMOVED, or CREATED; nothing for entries created and removed', () => {
    holds(({ ltx, model }) => {
      const expected = [...model.own].flatMap(([id, after]) => {
        const before = model.parent?.get(id);
        if (before === undefined) return after === undefined ? [] : [`created ${base64(after)}`];
        const last = after === undefined ? `removed ${id}` : `updated ${base64(after)}`;
        return [`state ${base64(before)}`, last];
      });
      assert.deepEqual(ltx.changes().map(describeChange), expected);
    });
  });

  it('stamps recorded entries with the ledger’s sequence, but not peeked ones', () => {
    const root = new LedgerState(header(ROOT_SEQ));
    const [read, touched] = [accountEntry(1, 1n), accountEntry(2, 1n)];
    root.put(entryKeyId(read), read);
    root.put(entryKeyId(touched), touched);
    const ltx = new LedgerTxn(root);
    assert.equal(ltx.peek(entryKeyId(read))?.lastModifiedLedgerSeq, 0);
    assert.equal(ltx.load(entryKeyId(touched))?.lastModifiedLedgerSeq, 0);
    assert.deepEqual(
      ltx.changes().map((change) => change.type),
      ['ledgerEntryState', 'ledgerEntryUpdated'],
    );
    ltx.commit();
    assert.equal(root.peek(entryKeyId(read))?.lastModifiedLedgerSeq, 0);
    assert.equal(root.peek(entryKeyId(touched))?.lastModifiedLedgerSeq, ROOT_SEQ);
  });
});

function describeChange(change: xdr.LedgerEntryChange): string {
  switch (change.type) {
    case 'ledgerEntryCreated':
      return `created ${base64(change.created)}`;
    case 'ledgerEntryUpdated':
      return `updated ${base64(change.updated)}`;
    case 'ledgerEntryState':
      return `state ${base64(change.state)}`;
    case 'ledgerEntryRemoved':
      return `removed ${Buffer.from(change.removed.toXdr()).toString('latin1')}`;
    default:
      return change.type;
  }
}

describe('The best offer of a market is the same, however many levels its offers are on', () => {
  it('is the cheapest, then oldest, of all; or the first after a position', () => {
    holds(({ ltx, model }) => {
      for (const selling of [0, 1]) {
        const offers = offersIn(model, selling);
        const places = [undefined, ...offers.map(({ place }) => place)];
        for (const after of places) {
          const expected = offers.find(
            ({ place }) => after === undefined || comparePlaces(place, after) > 0,
          );
          const best = ltx.peekBestOffer(asset(selling), asset(1 - selling), after);
          assert.equal(base64(best), base64(expected?.entry));
        }
      }
    });
  });

  it('walks over many crossed offers once, not once for each', () => {
    const root = new LedgerState(header(ROOT_SEQ));
    const offers = Array.from({ length: 1000 }, (_, index) =>
      offerEntry({ seller: 1, offerId: BigInt(index), selling: 0, buying: 1, n: 1 + index, d: 7 }),
    );
    for (const offer of offers) root.put(entryKeyId(offer), offer);
    let asked = 0;
    const counting = Object.create(root, {
      header: { value: root.header },
      peek: { value: (id: LedgerKeyId) => root.peek(id) },
      peekBestOffer: {
        value: (selling: xdr.Asset, buying: xdr.Asset, after?: OfferPlace) => {
          asked += 1;
          return root.peekBestOffer(selling, buying, after);
        },
      },
    });
    const ltx = new LedgerTxn(counting);
    for (const offer of offers) {
      const best = ltx.peekBestOffer(asset(0), asset(1));
      assert.equal(base64(best), base64(offer));
      ltx.erase(entryKeyId(offer));
    }
    assert.equal(ltx.peekBestOffer(asset(0), asset(1)), undefined);
    assert.ok(asked <= 2 * offers.length + 1, `asked the parent ${asked} times`);
  });
});

function offersIn(model: Model, selling: number): { entry: xdr.LedgerEntry; place: OfferPlace }[] {
  const wanted = asset(selling).toXdr('base64');
  return [...model.all().values()]
    .flatMap((entry) => {
      if (entry.data.type !== 'offer') return [];
      const { offer } = entry.data;
      if (offer.selling.toXdr('base64') !== wanted) return [];
      return [{ entry, place: { price: offer.price, offerId: offer.offerId } }];
    })
    .sort((a, b) => comparePlaces(a.place, b.place));
}

describe('An account is asked for its offers and pool shares at any level', () => {
  it('names those of all levels that still exist', () => {
    holds(({ ltx, model }) => {
      for (const n of [0, 1, 2]) {
        const owner = accountIdString(account(n));
        assert.deepEqual([...ltx.offersOf(owner)].sort(), idsOf(model, n, 'offer'));
        assert.deepEqual([...ltx.poolShareTrustlinesOf(owner)].sort(), idsOf(model, n, 'share'));
      }
      const offers = [...model.all()].flatMap(([id, { data }]) =>
        data.type === 'offer' ? [id] : [],
      );
      assert.deepEqual([...ltx.allOffers()].sort(), offers.sort());
    });
  });
});

function idsOf(model: Model, owner: number, kind: 'offer' | 'share'): LedgerKeyId[] {
  const ownerKey = accountIdString(account(owner));
  return [...model.all()]
    .filter(([, { data }]) => {
      if (data.type === 'offer') {
        return kind === 'offer' && accountIdString(data.offer.sellerId) === ownerKey;
      }
      return (
        kind === 'share' &&
        data.type === 'trustline' &&
        data.trustLine.asset.type === 'assetTypePoolShare' &&
        accountIdString(data.trustLine.accountId) === ownerKey
      );
    })
    .map(([id]) => id)
    .sort();
}

describe('The state hash depends on the live entries alone', () => {
  it('is the same however a state was reached', () => {
    fc.assert(
      fc.property(program, fc.integer(), (steps, turn) => {
        const reached = run(steps, () => {});
        const entries = [...reached.entries()];
        const start = entries.length === 0 ? 0 : Math.abs(turn) % entries.length;
        const rebuilt = new LedgerState(header(1));
        for (const { id, xdr: bytes } of [...entries.slice(start), ...entries.slice(0, start)]) {
          rebuilt.putXdr(id, bytes);
        }
        assert.deepEqual(rebuilt.stateHash(), reached.stateHash());
        assert.equal(rebuilt.size, reached.size);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});
