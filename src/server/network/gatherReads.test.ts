import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatherReads } from './gatherReads.ts';
import type { ReadingCall } from './jsonRpcTransport.ts';

/** A server that has every entry and finds every transaction, and the requests that it received. */
function server(answer: (call: ReadingCall) => Promise<unknown> = answerOf) {
  const requests: (readonly ReadingCall[])[] = [];
  const reads = gatherReads((calls) => {
    requests.push(calls);
    return calls.map(answer);
  });
  const lookUp = (hash: string) => reads.call('getTransaction', { hash });
  return { requests, read: reads.readEntries, lookUp };
}

async function answerOf({ method, params }: ReadingCall): Promise<unknown> {
  if (method === 'getTransaction') return { found: params };
  const { keys } = params as { keys: readonly string[] };
  return { latestLedger: 7, entries: keys.map((key) => ({ key, xdr: `entry of ${key}` })) };
}
const keys = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

function keysIn(requests: readonly (readonly ReadingCall[])[]): readonly (readonly string[])[] {
  return requests.flat().map(({ params }) => (params as { keys: readonly string[] }).keys);
}

describe('Reads of one turn', () => {
  it('request entries in one call, each key once, and each reader gets its own', async () => {
    const { requests, read } = server();
    const answers = await Promise.all([read(['a', 'b']), read(['c', 'a'])]);
    assert.deepEqual(keysIn(requests), [['a', 'b', 'c']]);
    assert.equal(answers[0].found.get('b')?.xdr, 'entry of b');
    assert.equal(answers[1].found.get('c')?.xdr, 'entry of c');
  });

  it('use several calls if a server would not accept all keys in one', async () => {
    const { requests, read } = server();
    await Promise.all([
      read(keys('a', 150)),
      read(keys('b', 60)),
      read(keys('c', 250)),
      read(['d']),
    ]);
    assert.deepEqual(
      keysIn(requests).map(({ length }) => length),
      [150, 60, 250, 1],
    );
  });

  it('look up transactions and read entries in one request, in any order', async () => {
    for (const order of ['entries first', 'lookups first']) {
      const { requests, read, lookUp } = server();
      const reading = order === 'entries first' ? [read(['a'])] : [];
      const looking = [lookUp('1'), lookUp('2')];
      if (order === 'lookups first') reading.push(read(['a']));
      const [entries] = await Promise.all(reading);
      assert.equal(entries?.found.get('a')?.xdr, 'entry of a');
      assert.deepEqual(await Promise.all(looking), [
        { found: { hash: '1' } },
        { found: { hash: '2' } },
      ]);
      assert.deepEqual(
        requests.map((request) => request.map(({ method }) => method)),
        [['getTransaction', 'getTransaction', 'getLedgerEntries']],
      );
    }
  });

  it('are split into several requests if one response would become large', async () => {
    const { requests, lookUp } = server();
    await Promise.all(keys('', 25).map(lookUp));
    assert.deepEqual(
      requests.map(({ length }) => length),
      [10, 10, 5],
    );
  });

  it('of another turn do not wait for them', async () => {
    const { requests, read } = server();
    await read(['a']);
    await read(['b']);
    assert.deepEqual(keysIn(requests), [['a'], ['b']]);
  });

  it('fail together, but not with those of another turn', async () => {
    let fails = true;
    const { read } = server((call) => (fails ? Promise.reject(new Error('no')) : answerOf(call)));
    const both = await Promise.allSettled([read(['a']), read(['b'])]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fails = false;
    assert.equal((await read(['a'])).latestLedger, 7);
  });

  it('fail separately if they are separate calls', async () => {
    const { read, lookUp } = server((call) =>
      call.method === 'getTransaction' ? Promise.reject(new Error('no')) : answerOf(call),
    );
    const both = await Promise.allSettled([lookUp('1'), read(['a'])]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
  });
});
