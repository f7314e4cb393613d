import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from './answer.ts';
import { judge } from './judge.ts';
import { type Spelling, spellingsOf } from './spellings.ts';

const asked = (method: string, answer: Partial<Answer>, target = '/x') => ({
  spelling: { name: '', method, target } satisfies Spelling,
  answer: { status: 200, headers: {}, body: '', ...answer },
});

describe('a response is judged by what it shows of a handler', () => {
  it('HEAD: a type that a server gives every empty response does not describe a body', () => {
    const bare = { headers: { 'content-type': 'text/plain; charset=UTF-8' } };
    assert.equal(judge(asked('HEAD', bare), [], []), 'nothing');
    assert.equal(judge(asked('HEAD', {}), [], []), 'nothing');
  });

  it('HEAD: a length, a stream or another type is one', () => {
    for (const headers of [
      { 'content-type': 'text/plain', 'content-length': '12' },
      { 'transfer-encoding': 'chunked' },
      { 'content-type': 'application/json' },
    ]) {
      assert.equal(judge(asked('HEAD', { headers }), [], []), 'free');
    }
  });

  it('a method that is not served is refused, not free', () => {
    for (const status of [405, 501]) {
      const answer = { status, headers: { 'content-type': 'application/json' }, body: '{"e":1}' };
      assert.equal(judge(asked('GET', answer), [], []), 'refused');
    }
  });

  it('400 is refused if a server wrote it or the path cannot be decoded', () => {
    assert.equal(judge(asked('GET', { status: 400 }), [], []), 'refused');
    const page = { status: 400, headers: { date: 'now' }, body: '<pre>Bad Request</pre>' };
    assert.equal(judge(asked('GET', page, '/x%'), [], []), 'refused');
    assert.equal(judge(asked('GET', page), [], []), 'free');
  });

  it('400 of a handler is free, and that of our own engine for an ambiguous path is not', () => {
    const answer = (error: string) => ({
      ...{ status: 400, headers: { date: 'now' } },
      body: JSON.stringify({ error, message: 'x' }),
    });
    assert.equal(judge(asked('GET', answer('ambiguous_path')), [], []), 'refused');
    assert.equal(judge(asked('GET', answer('city_missing')), [], []), 'free');
  });
});

describe('a prefetch of Next.js', () => {
  it('is answered without a handler if it is an empty object with its header, and only then', () => {
    const headers = { 'x-middleware-skip': '1' };
    assert.equal(judge(asked('GET', { headers, body: '{}' }), [], []), 'nothing');
    assert.equal(judge(asked('GET', { headers, body: '{"sold":true}' }), [], []), 'free');
    assert.equal(judge(asked('GET', { body: '{}' }), [], []), 'free');
  });
});

describe('an app that fails sold nothing, and is not called free', () => {
  it('at a path that can be decoded, what it would do is unknown', () => {
    assert.equal(judge(asked('GET', { status: 500 }), [], []), 'failed');
    assert.equal(judge(asked('GET', { status: 503 }, '/x%2F'), [], []), 'failed');
  });

  it('at a path that cannot be decoded, no handler can be meant', () => {
    assert.equal(judge(asked('GET', { status: 500 }, '/x%'), [], []), 'undecodable');
    assert.equal(judge(asked('GET', { status: 500 }, '/x%FF'), [], []), 'undecodable');
    assert.equal(judge(asked('GET', { status: 200 }, '/x%'), [], []), 'free');
  });
});

describe('spellings of a request', () => {
  const targets = spellingsOf('GET', '/a/b?q=1').map(({ target }) => target);

  it('have line breaks, separators and encodings in each place where a pattern may stop', () => {
    for (const target of [
      '/a/b%0A?q=1',
      '/a/b%0D%0A?q=1',
      '/a/b%5C%0A?q=1',
      '/a/%E2%80%A8b?q=1',
      '/a/b%E2%80%A9?q=1',
      '/a/b%5C?q=1',
      '/a%2Fb?q=1',
      '/a/b%00?q=1',
      '/a/x/../b?q=1',
    ]) {
      assert.ok(targets.includes(target), target);
    }
  });

  it('are each sent once, and once as HTTP/1.0', () => {
    const all = spellingsOf('GET', '/a/b');
    assert.equal(all.filter(({ version }) => version === '1.0').length, 1);
    assert.equal(new Set(all.map((each) => JSON.stringify(each))).size, all.length);
  });
});
