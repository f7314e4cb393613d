import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { decisions } from './pages/decisionsPage.ts';

describe('A decision is one file', () => {
  const all = decisions();

  it('whose name starts with its number', () => {
    const wrong = all.filter(({ file, number }) => !basename(file).startsWith(`${number}-`));
    assert.deepEqual(
      wrong.map(({ file }) => file),
      [],
    );
  });

  it('with a number that no other decision has', () => {
    const numbers = all.map(({ number }) => number);
    const twice = numbers.filter((number, at) => numbers.indexOf(number) !== at);
    assert.deepEqual(twice, []);
  });

  it('and a status: accepted, proposed, or replaced by a decision that exists', () => {
    const numbers = new Set(all.map(({ number }) => number));
    const wrong = all.filter(({ status }) => {
      if (status === 'accepted' || status === 'proposed') return false;
      const by = /^(?:replaced|amended) by \[(\d{4})\]\([^)]+\)$/.exec(status)?.[1];
      return by === undefined || !numbers.has(by);
    });
    assert.deepEqual(
      wrong.map(({ file, status }) => `${file}: ${status}`),
      [],
    );
  });
});
