import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  labelledEntries,
  labelledQueries,
  memorySearch,
} from '../../../../test/support/searchDocuments.ts';
import { explainMatches } from './explainMatch.ts';

const SCALE = { some: 0.4, much: 0.6 };
const texts = {
  url: 'https://sky.dev/v1/outlook',
  serviceName: 'Sky',
  tags: ['weather', 'rain'],
  description: 'Hourly rain for any city',
};

describe('Why a search found an entry', () => {
  it('names the query words that the entry contains, and their fields', () => {
    const { words } = explainMatches('rain in my city', SCALE)(texts, null);
    assert.deepEqual(words, [
      { word: 'rain', in: ['tags', 'description'], synonym: false },
      { word: 'city', in: ['description'], synonym: false },
    ]);
  });

  it('names a word of which the entry contains a synonym', () => {
    const { words } = explainMatches('forecasts', SCALE)(texts, null);
    assert.deepEqual(words, [{ word: 'forecast', in: ['tags'], synonym: true }]);
  });

  it('is sure with nearness, less sure with some of the words, and unsure with neither', () => {
    const confidence = (
      query: string,
      nearness: number | null,
      scale: typeof SCALE | null = SCALE,
    ) => explainMatches(query, scale)(texts, nearness).confidence;
    assert.equal(confidence('umbrella', 0.6), 'high');
    assert.equal(confidence('rain city', 0.5), 'high');
    assert.equal(confidence('umbrella', 0.5), 'medium');
    assert.equal(confidence('rain city', 0.2), 'medium');
    assert.equal(confidence('umbrella', 0.39), 'low');
    // Another model's cosines mean something else, so the words decide.
    assert.equal(confidence('umbrella', 0.9, null), 'low');
    assert.equal(confidence('rain city', 0.1, null), 'high');
    assert.equal(confidence('rain umbrella', null), 'medium');
  });

  it('has a bounded length, whatever the query', () => {
    const long = Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ');
    const { words } = explainMatches(long, SCALE)({ ...texts, description: long }, null);
    assert.equal(words.length, 24);
  });

  it('has a bounded cost: a text that grows when it is normalized is truncated', () => {
    const growing = `${'\ufdfa'.repeat(100)} rain`;
    const { words } = explainMatches('rain', SCALE)(
      { ...texts, tags: [], description: growing },
      null,
    );
    assert.deepEqual(words, []);
  });
});

describe('The confidence on queries that were not used to set it', () => {
  it('is low for most wrong entries, and for few right ones', async () => {
    const search = memorySearch();
    const entries = labelledEntries();
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (const entry of entries) await search.put(entry);
    const low = { answers: 0, others: 0 };
    let queries = 0;
    for (const { query, grades, heldOut } of labelledQueries()) {
      if (!heldOut) continue;
      queries += 1;
      const outcome = await search.search({ query, filters: {}, limit: 100, cursor: null });
      assert.ok(outcome.kind === 'page');
      const isLow = (wanted: (grade: number) => boolean): number => {
        const hit = outcome.page.hits.find(({ id }) => wanted(grades[id] ?? 0));
        const document = hit && byId.get(hit.id);
        return document && search.explain(query)(document, hit.nearness).confidence === 'low'
          ? 1
          : 0;
      };
      low.answers += isLow((grade) => grade >= 2);
      low.others += isLow((grade) => grade === 0);
    }
    assert.ok(low.answers / queries < 0.25, `${low.answers} of ${queries} answers`);
    assert.ok(low.others / queries > 0.6, `${low.others} of ${queries} others`);
  });
});
