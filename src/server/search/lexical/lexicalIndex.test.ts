import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { searchDocument } from '../../../../test/support/searchDocuments.ts';
import { MemoryIndex } from '../memory/memoryIndex.ts';
import type { SearchDocument } from '../searchDocument.ts';
import { queryKeys } from './queryKeys.ts';
import { epochOf } from './statistics.ts';

async function indexOf(documents: readonly SearchDocument[]): Promise<MemoryIndex> {
  const index = new MemoryIndex();
  for (const document of documents) await index.put(document);
  return index;
}

async function ranked(query: string, documents: readonly SearchDocument[]): Promise<string[]> {
  const index = await indexOf(documents);
  const scope = { filters: {}, asOf: 1_000_000, depth: 100 };
  return (await index.lexical(queryKeys(query), scope)).map(({ id }) => id);
}

const facts = ['Cats', 'Dogs', 'Numbers', 'Presidents', 'Trees', 'Cars'].map((name, n) =>
  searchDocument(name, n + 2, { serviceName: `${name} Facts`, description: 'three random facts' }),
);

describe('The lexical stage weighs words by rarity', () => {
  it('"three random facts about axolotls" finds the axolotls, not any entry with facts', async () => {
    const axolotl = searchDocument('axolotl', 100, {
      serviceName: 'Axolotl',
      description: 'Pictures of axolotls',
    });
    assert.equal(
      (await ranked('three random facts about axolotls', [...facts, axolotl]))[0],
      'axolotl',
    );
  });

  it('words that only ask have no weight', async () => {
    const plain = await ranked('dog facts', facts);
    for (const asked of [
      'Hey, can you show me dog facts, please?',
      'I am looking for dog facts, could you help me find some',
      "I'd really like to know dog facts. Thank you!",
    ]) {
      assert.deepEqual(await ranked(asked, facts), plain, asked);
    }
  });

  it('only the rarest words of a long task text are looked up', async () => {
    const task = `${facts.map(({ serviceName }) => serviceName).join(' ')} ${Array.from(
      { length: 100 },
      (_, n) => `filler${n}`,
    ).join(' ')} axolotl`;
    const common = Array.from({ length: 100 }, (_, n) =>
      searchDocument(`f${n}`, 200 + n, { description: `filler${n} filler${(n + 1) % 100}` }),
    );
    const axolotl = searchDocument('axolotl', 400, { serviceName: 'Axolotl' });
    assert.equal((await ranked(task, [...facts, ...common, axolotl]))[0], 'axolotl');
  });
});

describe('The lexical stage weighs length and repetition', () => {
  it('an entry stuffed with words ranks behind one that is about the word', async () => {
    const stuffed = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
    assert.deepEqual(
      await ranked('weather', [
        searchDocument('stuffed', 1, { description: `weather ${stuffed}` }),
        searchDocument('short', 2, { description: 'weather of the day' }),
      ]),
      ['short', 'stuffed'],
    );
  });

  it('two query words in the description count more than one in the name', async () => {
    assert.deepEqual(
      await ranked('tide tables', [
        searchDocument('name', 1, { serviceName: 'Tide' }),
        searchDocument('both', 2, { description: 'tide tables' }),
        searchDocument('other', 3, { serviceName: 'Tables' }),
      ]),
      ['both', 'name', 'other'],
    );
  });
});

describe("An entry's points are evidence", () => {
  const documents = [
    ...Array.from({ length: 62 }, (_, n) =>
      searchDocument(`e${n}`, n + 1, { description: n % 2 ? 'daily report' : 'weekly report' }),
    ),
    searchDocument('both', 63, { description: 'axolotl habitat' }),
    searchDocument('one', 64, { description: 'axolotl report' }),
  ];
  const found = async (query: string) => {
    const index = await indexOf(documents);
    const scope = { filters: {}, asOf: 64, depth: 100 };
    return new Map(
      (await index.lexical(queryKeys(query), scope)).map(({ id, evidence }) => [id, evidence]),
    );
  };

  it('by the share of the query that its words cover, weighted by rarity', async () => {
    const covers = async (query: string, id: string) =>
      Math.round(100 * ((await found(query)).get(id)?.coverage ?? 0)) / 100;
    assert.equal(await covers('axolotl habitat', 'both'), 1);
    assert.ok((await covers('axolotl habitat', 'one')) < 0.5);
    assert.ok((await covers('axolotl report', 'e1')) < 0.2);
    // A word that no entry has is the rarest of all.
    assert.ok((await covers('axolotl quarks', 'both')) < 0.5);
  });

  it('by how much rarer its words are than a coincidence among this many entries', async () => {
    const rare = await found('axolotl habitat report');
    assert.ok((rare.get('both')?.surprise ?? 0) > 2.5);
    assert.equal(rare.get('e1')?.surprise, 0);
    assert.equal((await found('report')).get('one')?.surprise, 0);
  });
});

describe('Statistics are frozen by epoch', () => {
  it('an epoch lasts until an eighth was added, and none begins after the last listing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (asOf) => {
        const end = epochOf(asOf);
        assert.ok(end <= asOf && end * 8 >= asOf * 7 - 8, `${end} of ${asOf}`);
        assert.equal(epochOf(end), end);
      }),
    );
  });

  it('no score changes within it, whatever is added', async () => {
    const documents = Array.from({ length: 64 }, (_, n) =>
      searchDocument(`e${n}`, n + 1, { description: n % 3 ? 'weather report' : 'price report' }),
    );
    const index = await indexOf(documents);
    const asked = () =>
      index.lexical(queryKeys('weather report'), { filters: {}, asOf: 64, depth: 100 });
    const before = await asked();
    for (let n = 65; n < 400; n += 1) {
      await index.put(searchDocument(`e${n}`, n, { serviceName: 'weather weather' }));
    }
    assert.deepEqual(await asked(), before);
  });
});
