import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import type { CatalogSearch, SearchHit } from '../../src/server/search/index.ts';
import {
  CONTESTED,
  contestedCatalog,
  type History,
  payers,
  standingOf,
  sybils,
  type Trick,
} from '../support/contestedCatalog.ts';
import { memorySearch, searchDocument } from '../support/searchDocuments.ts';

const ENTRIES = 10_000;
const SPAMMERS = 500;

/** What somebody does to be first, from the cheapest, and what it costs. */
const WAYS: readonly (readonly [name: string, history: History])[] = [
  [
    'dishonest: one payment to an unchecked URL',
    { payers: payers(1, 0.01, 0), verified: false, days: 0 },
  ],
  ['dishonest: own domain, 10 new payers', sybils(10)],
  ['dishonest: own domain, 100 new payers', sybils(100)],
  ['dishonest: own domain, 1,000 new payers', sybils(1_000)],
  ['dishonest: own domain, 10,000 new payers', sybils(10_000)],
  [
    'dishonest: 30 accounts, 0.02 USDC each, kept for a month',
    { payers: payers(30, 0.02, 30), verified: true, days: 30 },
  ],
  ['honest: 5 payers of 1 USDC in a month', { payers: payers(5, 1, 30), verified: true, days: 30 }],
  [
    'honest: 10 payers of 2 USDC in three months',
    { payers: payers(10, 2, 90), verified: true, days: 90 },
  ],
  [
    'honest: 20 payers of 5 USDC in three months',
    { payers: payers(20, 5, 90), verified: true, days: 90 },
  ],
];

describe('The first place for a contested word is not for sale: 10,000 entries, 5 % spammers', () => {
  let search: CatalogSearch;
  const tricks = new Map<string, Trick>();

  before(async () => {
    search = memorySearch();
    for (const { document, trick } of contestedCatalog(ENTRIES, SPAMMERS)) {
      await search.put(document);
      if (trick !== undefined) tricks.set(document.id, trick);
    }
    await search.settled();
  });

  async function first(query: string, limit: number): Promise<readonly SearchHit[]> {
    const outcome = await search.search({ query, filters: {}, limit, cursor: null });
    assert.equal(outcome.kind, 'page');
    return outcome.page.hits;
  }

  const queries = CONTESTED.flatMap(({ word, query }) => [word, query]);

  it('no spammer is first, and at most three of the first ten are spam', async (t: TestContext) => {
    for (const query of queries) {
      const hits = await first(query, 20);
      const places = hits.flatMap(({ id }, n) =>
        tricks.has(id) ? [`${n + 1} ${tricks.get(id)}`] : [],
      );
      t.diagnostic(`${query}: ${places.join(', ') || 'none'}`);
      const [best] = hits;
      assert.ok(best && !tricks.has(best.id), `${query}: ${tricks.get(best?.id ?? '')} is first`);
      const spam = hits.slice(0, 10).filter(({ id }) => tricks.has(id)).length;
      assert.ok(spam <= 3, `${query}: ${spam} of the first ten`);
    }
  });

  it('what it costs to be first, with the best text that there is', async (t: TestContext) => {
    const places = new Map<string, number[]>();
    for (const { word } of CONTESTED) {
      for (const [name, history] of WAYS) {
        await search.put(
          searchDocument('newcomer', ENTRIES + 1, {
            ...{ url: `https://newcomer.test/${word}`, serviceName: `The ${word}`, tags: [word] },
            description: `${word} for any agent`,
            standing: standingOf(history),
          }),
        );
        const hits = await first(word, 100);
        const place = hits.findIndex(({ id }) => id === 'newcomer') + 1;
        places.set(name, [...(places.get(name) ?? []), place]);
        await search.remove('newcomer');
      }
    }
    for (const [name, of] of places) t.diagnostic(`${name}: ${of.join(', ')}`);
    const firsts = (name: string) => (places.get(name) ?? []).filter((place) => place === 1).length;
    for (const [name] of WAYS.slice(0, 4)) assert.equal(firsts(name), 0, name);
    // Another honest seller with as much standing, or a text as near, may still be before the best newcomer.
    const last = WAYS.at(-1)?.[0] ?? '';
    assert.ok(firsts(last) >= CONTESTED.length / 2, `${last}: ${firsts(last)}`);
  });
});
