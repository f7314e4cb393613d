import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatherReads } from './gatherReads.ts';
import type { EntriesAnswer } from './getLedgerEntries.ts';

/** A server that has every entry, and what it was asked for. */
function server(answer: (keys: readonly string[]) => Promise<EntriesAnswer> = answerOf) {
  const asked: (readonly string[])[] = [];
  const read = gatherReads((keys) => {
    asked.push(keys);
    return answer(keys);
  });
  return { asked, read };
}

async function answerOf(keys: readonly string[]): Promise<EntriesAnswer> {
  return { latestLedger: 7, found: new Map(keys.map((key) => [key, { xdr: `entry of ${key}` }])) };
}
const keys = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('Readings of one turn', () => {
  it('leave in one call, each key once, and each reader finds its own', async () => {
    const { asked, read } = server();
    const answers = await Promise.all([read(['a', 'b']), read(['c', 'a'])]);
    assert.deepEqual(asked, [['a', 'b', 'c']]);
    assert.equal(answers[0].found.get('b')?.xdr, 'entry of b');
    assert.equal(answers[1].found.get('c')?.xdr, 'entry of c');
  });

  it('leave in several calls where a server would not take them in one', async () => {
    const { asked, read } = server();
    await Promise.all([
      read(keys('a', 150)),
      read(keys('b', 60)),
      read(keys('c', 250)),
      read(['d']),
    ]);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [150, 60, 250, 1],
    );
  });

  it('of another turn do not wait for them', async () => {
    const { asked, read } = server();
    await read(['a']);
    await read(['b']);
    assert.deepEqual(asked, [['a'], ['b']]);
  });

  it('fail together, and not with those of another turn', async () => {
    let fails = true;
    const { read } = server((asked) => (fails ? Promise.reject(new Error('no')) : answerOf(asked)));
    const both = await Promise.allSettled([read(['a']), read(['b'])]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fails = false;
    assert.equal((await read(['a'])).latestLedger, 7);
  });
});
