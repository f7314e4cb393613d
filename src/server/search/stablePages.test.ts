import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allHits, memorySearch, searchDocument } from '../../../test/support/searchDocuments.ts';

describe('Pages are stable while entries are added', () => {
  const vocabulary = ['weather', 'forecast', 'price', 'image', 'news', 'storm'] as const;
  const texts = fc.array(fc.subarray([...vocabulary], { minLength: 1 }), {
    minLength: 1,
    maxLength: 40,
  });

  it('[spec: GET /discovery/search/Cursor] no entry is repeated, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        texts,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (before, added, limit, otherInstance) => {
          const search = memorySearch();
          const other = memorySearch();
          let sequence = 0;
          const put = async (words: readonly string[]) => {
            sequence += 1;
            const document = searchDocument(`e${sequence}`, sequence, {
              description: words.join(' '),
              settlements: sequence % 4,
            });
            await search.put(document);
            await other.put(document);
          };
          for (const words of before) await put(words);
          const expected = await allHits(search, 'weather price', 100);
          const rest = [...added];
          // An instance that does not remember the first page must be able to continue too: after a restart, or a second
          // instance.
          let turn = 0;
          const asked = otherInstance
            ? { ...search, search: (r: never) => (turn++ % 2 ? other : search).search(r) }
            : search;
          const paged = await allHits(asked, 'weather price', limit, async () => {
            const words = rest.pop();
            if (words) await put(words);
          });
          assert.deepEqual(paged, expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts that change between pages move no entry', async () => {
    const search = memorySearch();
    for (let n = 1; n <= 30; n += 1) {
      await search.put(searchDocument(`e${n}`, n, { description: 'weather' }));
    }
    const expected = await allHits(search, 'weather');
    let n = 30;
    const paged = await allHits(search, 'weather', 5, async () => {
      await search.count(`e${n}`, { settlements: 100, uniquePayers: 1, standing: 0 });
      n -= 1;
    });
    assert.deepEqual(paged, expected);
  });
});
