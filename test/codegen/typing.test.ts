import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { addPayment, applyEdits, findRoutes, removePayment } from '../../src/codegen/index.ts';
import { parseSource, syntaxErrors } from '../../src/codegen/source/sourceFile.ts';
import { changesOf, corpus, TERMS } from './corpus.ts';

/** Texts while somebody types: a part is missing, or occurs twice. */
const texts = fc
  .tuple(
    fc.constantFrom(
      ...corpus().flatMap((each) =>
        changesOf(each, each.text).texts.map((text) => ({ each, text })),
      ),
    ),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(60),
    fc.boolean(),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([{ each, text }, at, length, twice, cursor]) => {
    const start = Math.floor(at * text.length);
    const end = Math.min(text.length, start + length);
    const typed = text.slice(0, end) + (twice ? text.slice(start) : '');
    const cut = text.slice(0, start) + text.slice(end);
    const made = twice ? typed : cut;
    return { path: each.path, text: made, offset: Math.floor(cursor * made.length) };
  });

describe('while the user types', () => {
  it('endpoints are found or not, and nothing throws', () => {
    fc.assert(
      fc.property(texts, ({ path, text }) => {
        for (const { range } of findRoutes({ path, text })) {
          assert.ok(range.start >= 0 && range.end <= text.length && range.start < range.end);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a change is made or refused, and the result parses', () => {
    fc.assert(
      fc.property(texts, ({ path, text, offset }) => {
        const added = addPayment({ ...TERMS, path, text, offset });
        if (added.ok)
          assert.deepEqual(syntaxErrors(parseSource(path, applyEdits(text, added.edits))), []);
        const removed = removePayment({ path, text, offset });
        const before = syntaxErrors(parseSource(path, text)).length;
        if (removed.ok && before === 0) {
          assert.deepEqual(syntaxErrors(parseSource(path, applyEdits(text, removed.edits))), []);
        }
      }),
      { numRuns: 300 },
    );
  });
});
