import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allHits, memorySearch, searchDocument } from '../../../../test/support/searchDocuments.ts';
import type { RankedEntry } from '../searchIndex.ts';
import { areAlike, readLikeness, writeLikeness } from './likeness.ts';
import { spreadOut } from './spreadOut.ts';

const entry = (n: number, seller: number, origin = seller, bits = n) => ({
  points: 1,
  nearness: 0.5,
  entry: {
    ...{ id: `e${n}`, sequence: n, popularity: 0, standing: 500, seller, origin },
    likeness: [1, 2, 3, 4].map((k) => Math.imul(bits + 7, k * 0x9e3779b1) >>> 0),
  },
});
const idsOf = (ranked: readonly { readonly result: { readonly entry: RankedEntry } }[]) =>
  ranked.map(({ result }) => result.entry.sequence);

describe('One seller cannot take the first page', () => {
  it('25 near-duplicates are one result, with 24 more by this seller', async () => {
    const search = memorySearch();
    for (let n = 1; n <= 25; n += 1) {
      await search.put(
        searchDocument(`copy ${n}`, n, {
          serviceName: 'Weather of the world',
          description: `Weather forecast, rain and wind for any city, plan ${n}`,
          ...{ seller: 'GSPAM', origin: 'https://spam.test', url: `https://spam.test/${n}` },
        }),
      );
    }
    await search.put(searchDocument('honest', 26, { description: 'Hourly weather and alerts' }));
    const outcome = await search.search({ query: 'weather', filters: {}, limit: 20, cursor: null });
    assert.equal(outcome.kind, 'page');
    const spam = outcome.page.hits.filter(({ id }) => id.startsWith('copy'));
    assert.deepEqual(
      spam.map(({ moreBySeller }) => moreBySeller),
      [24],
    );
    assert.ok(outcome.page.hits.some(({ id }) => id === 'honest'));
    const filters = { payTo: 'GSELLER' };
    const all = await search.search({ query: 'weather', filters, limit: 50, cursor: null });
    assert.equal(all.kind, 'page');
    assert.equal(all.page.hits.length, 26, 'a search for one recipient has all its entries');
  });

  it('different entries of one recipient, or of one origin, are at most three of ten', () => {
    const spam = Array.from({ length: 30 }, (_, n) => entry(n, 1));
    const others = Array.from({ length: 30 }, (_, n) => entry(100 + n, 100 + n));
    const first = idsOf(spreadOut([...spam, ...others]));
    assert.deepEqual(first.slice(0, 4), [0, 1, 2, 100]);
    for (let from = 0; from < 30; from += 10) {
      assert.equal(first.slice(from, from + 10).filter((n) => n < 100).length, 3);
    }
    const sybils = Array.from({ length: 30 }, (_, n) => entry(n, 1_000 + n, 1));
    const spread = idsOf(spreadOut([...sybils, ...others]));
    assert.equal(spread.slice(0, 10).filter((n) => n < 100).length, 3);
  });

  it('copies of one text by different sellers are at most three of ten', () => {
    const copies = Array.from({ length: 30 }, (_, n) => entry(n, n, n, 500));
    const others = Array.from({ length: 30 }, (_, n) => entry(100 + n, 100 + n));
    const first = idsOf(spreadOut([...copies, ...others])).slice(0, 10);
    assert.equal(first.filter((n) => n < 100).length, 3);
  });

  it('newcomers share three of ten places, and are not put behind what is less relevant', () => {
    const unknown = Array.from({ length: 30 }, (_, n) => {
      const one = entry(n, n);
      return { ...one, entry: { ...one.entry, standing: 0 } };
    });
    const others = Array.from({ length: 30 }, (_, n) => entry(100 + n, 100 + n));
    const first = idsOf(spreadOut([...unknown, ...others])).slice(0, 10);
    assert.equal(first.filter((n) => n < 100).length, 3);
    const vague = others.map((one) => ({ ...one, points: 0, nearness: 0.2 }));
    const ids = idsOf(spreadOut([...unknown, ...vague]));
    assert.deepEqual(ids.slice(0, 30), idsOf(unknown.map((result) => ({ result }))));
  });

  it('each result is there once, or counted by one of its seller, in the same order each time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(6)), { maxLength: 250 }),
        (made) => {
          const ranked = made.map(([seller, origin, bits], n) => entry(n, seller, origin, bits));
          const spread = spreadOut(ranked);
          const ids = idsOf(spread);
          assert.equal(new Set(ids).size, ids.length);
          const counted = spread.reduce((sum, { more }) => sum + more + 1, 0);
          assert.equal(counted, ranked.length);
          assert.deepEqual(idsOf(spreadOut(ranked)), ids);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('pages repeat and lose nothing', async () => {
    const search = memorySearch();
    for (let n = 1; n <= 60; n += 1) {
      await search.put(
        searchDocument(`e${n}`, n, {
          description: `weather ${['rain', 'snow', 'wind', 'sun', 'tide', 'storm'][n % 6]} ${n % 4}`,
          ...{ seller: `seller ${n % 5}`, origin: `origin ${n % 7}` },
        }),
      );
    }
    const whole = await allHits(search, 'weather', 100);
    for (const limit of [1, 3, 10, 17]) {
      assert.deepEqual(await allHits(search, 'weather', limit), whole);
    }
  });

  it('a likeness survives a database', () => {
    const { likeness } = entry(3, 1).entry;
    assert.ok(likeness);
    assert.deepEqual(readLikeness(writeLikeness(likeness)), likeness);
    assert.equal(readLikeness(''), null);
    assert.equal(areAlike(null, null), false);
  });
});

describe('Entries with equal words are led by evidence', () => {
  const text = { serviceName: 'Weather', description: 'Hourly weather forecast for any city' };

  it('a copy of a text ranks behind the entry that was paid for, however old each is', async () => {
    for (const [honest, copy] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const search = memorySearch();
      await search.put(searchDocument('honest', honest, { ...text, standing: 300 }));
      await search.put(searchDocument('copy', copy, text));
      assert.equal((await allHits(search, 'weather forecast'))[0], 'honest');
    }
  });

  it('a text of the query alone does not rank before an entry with standing that answers it', async () => {
    const search = memorySearch();
    await search.put(searchDocument('honest', 2, { ...text, standing: 300 }));
    await search.put(searchDocument('bare', 1, { description: 'weather' }));
    assert.equal((await allHits(search, 'weather'))[0], 'honest');
  });

  it('standing lifts no entry over one that is clearly nearer', async () => {
    const search = memorySearch();
    await search.put(searchDocument('weather', 1, text));
    await search.put(
      searchDocument('famous', 2, { description: 'Exchange rates of coins', standing: 1_000 }),
    );
    for (const query of ['weather forecast', 'rain tomorrow', 'weather exchange']) {
      assert.equal((await allHits(search, query))[0], 'weather', query);
    }
  });
});
