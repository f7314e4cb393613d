import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allHits, memorySearch, searchDocument } from '../../../../test/support/searchDocuments.ts';
import type { SearchDocument } from '../searchDocument.ts';
import { MemoryIndex } from './memoryIndex.ts';

const vocabulary = ['weather', 'forecast', 'price', 'quote', 'image', 'photo', 'news', 'storm'];
const said = fc.record({
  serviceName: fc.option(fc.constantFrom(...vocabulary)),
  description: fc.option(fc.subarray(vocabulary).map((words) => words.join(' '))),
  tags: fc.subarray(vocabulary, { maxLength: 3 }),
  settlements: fc.nat({ max: 3 }),
  uniquePayers: fc.nat({ max: 3 }),
});
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ id: fc.nat({ max: 20 }), said }) },
    { weight: 1, arbitrary: fc.record({ removed: fc.nat({ max: 20 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ counted: fc.nat({ max: 20 }), settlements: fc.nat({ max: 9 }) }),
    },
  ),
  { maxLength: 60 },
);

describe('An index that grew entry by entry equals one built from the remaining entries', () => {
  it('ranks the same, whatever the order in which entries were added, changed and removed', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const grown = memorySearch();
        const left = new Map<string, SearchDocument>();
        for (const step of taken) {
          if ('removed' in step) {
            await grown.remove(`e${step.removed}`);
            left.delete(`e${step.removed}`);
          } else if ('counted' in step) {
            const id = `e${step.counted}`;
            const counts = { settlements: step.settlements, uniquePayers: 1, standing: 0 };
            await grown.count(id, counts);
            const known = left.get(id);
            if (known) left.set(id, { ...known, ...counts });
          } else {
            const document = searchDocument(`e${step.id}`, step.id + 1, step.said);
            await grown.put(document);
            left.set(document.id, document);
          }
        }
        const rebuilt = memorySearch();
        for (const document of [...left.values()].reverse()) await rebuilt.put(document);
        assert.equal(grown.status().documents, rebuilt.status().documents);
        for (const query of ['weather price', 'photo', 'news storm quote']) {
          assert.deepEqual(await allHits(grown, query), await allHits(rebuilt, query), query);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('even after so many changes that dead slots were removed', async () => {
    const grown = memorySearch();
    const rebuilt = memorySearch();
    for (let round = 1; round <= 6; round += 1) {
      for (let n = 1; n <= 400; n += 1) {
        const document = searchDocument(`e${n}`, n, {
          description: `${vocabulary[(n * round) % 8]} ${vocabulary[(n + round) % 8]} ${round}`,
        });
        await grown.put(document);
        if (round === 6) await rebuilt.put(document);
      }
    }
    for (const query of ['weather price', 'photo 6', '5']) {
      assert.deepEqual(await allHits(grown, query), await allHits(rebuilt, query), query);
    }
  });
});

describe('A settlement that does not change the texts of an entry costs no new embedding', () => {
  it('put returns whether one is needed', async () => {
    const index = new MemoryIndex();
    const document = searchDocument('e', 1, { description: 'weather' });
    assert.equal(await index.put(document), true);
    await index.setVector('e', new Float32Array(1024).fill(1));
    assert.equal(await index.put({ ...document, settlements: 5 }), false);
    const fields = { ...document.fields, scheme: ['exact', 'upto'] };
    assert.equal(await index.put({ ...document, fields }), false, 'filters are not embedded');
    assert.equal(await index.put({ ...document, description: 'news' }), true);
  });
});
