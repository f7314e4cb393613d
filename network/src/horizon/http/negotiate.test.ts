import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiate } from './answers.ts';

describe('The Accept header decides the kind of answer', () => {
  const cases: readonly [string | undefined, ReturnType<typeof negotiate>][] = [
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/hal+json', 'json'],
    ['text/event-stream', 'stream'],
    ['text/event-stream, application/json;q=0.5', 'stream'],
    ['application/json;q=0.5, text/event-stream;q=0.9', 'stream'],
    ['text/*', 'stream'],
    ['application/octet-stream', 'raw'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
  ];
  for (const [accept, kind] of cases) {
    it(`${accept ?? 'none'}: ${kind ?? 'refused'}`, () => assert.equal(negotiate(accept), kind));
  }
});
