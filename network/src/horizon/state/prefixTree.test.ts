import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PrefixTree } from './prefixTree.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 5 });

describe('PrefixTree that begin alike are walked in order', () => {
  it('from any of them, in both directions, as a sorted list would be', () => {
    fc.assert(
      fc.property(
        fc.array(text),
        text,
        fc.option(text, { nil: undefined }),
        fc.constantFrom('asc' as const, 'desc' as const),
        (all, prefix, behind, order) => {
          const places = new PrefixTree<string>();
          for (const place of all) places.set(place, place);
          const start = behind === undefined ? undefined : prefix + behind;
          const expected = [...new Set(all)]
            .filter((place) => place.startsWith(prefix))
            .filter((place) => {
              if (start === undefined) return true;
              return order === 'asc' ? place > start : place < start;
            })
            .sort();
          if (order === 'desc') expected.reverse();
          assert.deepEqual([...places.walk(prefix, order, behind)], expected);
        },
      ),
    );
  });
});
