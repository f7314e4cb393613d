import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Postings } from './ledgerIndex.ts';

describe('Postings are ledgers in ascending order, searched in both directions', () => {
  it('as a sorted list would be', () => {
    const step = fc.record({
      back: fc.boolean(),
      gap: fc.integer({ min: 1, max: 5 }),
      trimTo: fc.option(fc.integer({ min: 0, max: 400 }), { freq: 8 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const postings = new Postings();
        let expected: number[] = [];
        let [first, last, trimmed] = [200, 199, 0];
        for (const { back, gap, trimTo } of steps) {
          if (back && first - gap > trimmed) {
            first -= gap;
            postings.prepend(first);
            expected.unshift(first);
          } else if (!back) {
            last += gap;
            postings.append(last);
            expected.push(last);
          }
          if (trimTo !== null && trimTo > trimmed) {
            trimmed = trimTo;
            postings.trim(trimTo);
            expected = expected.filter((ledger) => ledger >= trimTo);
          }
          assert.deepEqual(postings.between(0, 1_000), expected);
          assert.equal(postings.empty, expected.length === 0);
        }
        assert.deepEqual(
          postings.between(150, 250),
          expected.filter((ledger) => ledger >= 150 && ledger <= 250),
        );
      }),
    );
  });
});
