import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startFaultyRpc } from '../../../test/support/faultyRpc.ts';
import {
  type RpcReply,
  type RpcScript,
  startScriptedRpc,
} from '../../../test/support/scriptedRpc.ts';
import type { SettlementHash } from '../../protocol/index.ts';
import { systemClock } from '../clock.ts';
import { RpcError } from './rpcError.ts';
import { connectNetwork } from './stellarNetwork.ts';

const open: { close(): unknown }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

const HASH = 'a'.repeat(64) as SettlementHash;
const DEAD = 'http://127.0.0.1:9';
const latest = (sequence: number): RpcReply => ({ result: { sequence } });
const sent: RpcReply = { result: { status: 'PENDING', hash: HASH, latestLedger: 5 } };
const limited = (seconds: number): RpcReply => ({
  status: 429,
  text: 'slow down',
  headers: { 'retry-after': String(seconds) },
});

async function serve(script: RpcScript) {
  const rpc = await startScriptedRpc(script);
  open.push(rpc);
  return rpc;
}

/** A server that takes longer for each call than one does that works well. */
async function serveSlowly(script: RpcScript) {
  const rpc = await startFaultyRpc((await serve(script)).url);
  rpc.hold(() => pause(1_200));
  open.push(rpc);
  return rpc;
}

function connect(urls: readonly string[], callsPerSecond: number | null = null) {
  const [url = '', ...otherUrls] = urls;
  const changes: string[] = [];
  const onChange = (_: string, state: string): void => {
    changes.push(state);
  };
  const options = { url, otherUrls, callsPerSecond, certificateAuthority: null, onChange };
  const network = connectNetwork(options, systemClock);
  open.push(network);
  return Object.assign(network, { changes });
}

async function failure(call: Promise<unknown>): Promise<RpcError> {
  return call.then(
    () => assert.fail('it was answered'),
    (error) => {
      assert.ok(error instanceof RpcError, String(error));
      return error;
    },
  );
}

describe('Several RPC servers', () => {
  it('a read is made at the next one, at once, and the failed one is passed over', async () => {
    const second = await serve(() => latest(7));
    const network = connect([DEAD, second.url]);
    for (let call = 0; call < 5; call++) assert.equal(await network.getLatestLedger(), 7);
    assert.deepEqual(network.changes, ['failing']);
  });

  it('so it is if the first hangs, refuses with 5xx, or answers with a page', async () => {
    const second = await serve(() => latest(7));
    for (const reply of [
      'hang',
      { status: 502, text: '' },
      { status: 200, text: '<p>' },
    ] as const) {
      const first = await serve(() => reply);
      const begun = performance.now();
      assert.equal(await connect([first.url, second.url]).getLatestLedger(), 7);
      assert.ok(performance.now() - begun < 4_000);
    }
  });

  it('a read that a server understands and refuses is not asked again', async () => {
    const first = await serve(() => ({ error: { code: -32_602, message: 'no such ledger' } }));
    const second = await serve(() => latest(7));
    const error = await failure(connect([first.url, second.url]).getLatestLedger());
    assert.equal(error.code, 'refused');
    assert.equal(second.calls.length, 0);
  });

  it('a submission goes to the next one only if the first certainly did not get it', async () => {
    const second = await serve(() => sent);
    assert.equal((await connect([DEAD, second.url]).send('AAAA')).status, 'PENDING');
    const resets = await serve(() => 'reset');
    const error = await failure(connect([resets.url, second.url]).send('AAAA'));
    assert.equal(error.code, 'interrupted');
    assert.equal(second.calls.length, 1);
  });

  it('the first is used again once it answers', async () => {
    let isDown = true;
    const first = await serve(() => (isDown ? 'reset' : latest(1)));
    const second = await serve(() => latest(2));
    const network = connect([first.url, second.url]);
    assert.equal(await network.getLatestLedger(), 2);
    isDown = false;
    await pause(1_100);
    await network.getLatestLedger();
    await pause(100);
    assert.equal(await network.getLatestLedger(), 1);
    assert.deepEqual(network.changes, ['failing', 'answering']);
  });

  it('a transaction that the first does not have is looked up at the others', async () => {
    const missing = (oldestLedger: number): RpcReply => ({
      result: { status: 'NOT_FOUND', latestLedger: 90, oldestLedger },
    });
    const first = await serve(() => missing(80));
    const second = await serve(() => missing(3));
    const network = connect([first.url, second.url]);
    assert.deepEqual(await network.lookUp(HASH), {
      ...{ status: 'NOT_FOUND', latestLedger: 90, oldestLedger: 3 },
    });
    const third = await serve(() => ({ error: { code: -32_603, message: 'internal' } }));
    assert.equal((await connect([third.url, second.url]).lookUp(HASH)).status, 'NOT_FOUND');
  });
});

describe('A server that is slow', () => {
  it('is passed over after two calls, while another one is quick', async () => {
    const first = await serveSlowly(() => latest(1));
    const second = await serve(() => latest(2));
    const network = connect([first.url, second.url]);
    const answers: number[] = [];
    for (let call = 0; call < 6; call++) answers.push(await network.getLatestLedger());
    assert.deepEqual(answers, [1, 1, 2, 2, 2, 2]);
  });

  it('is used if it is the only one, or the others do not answer', async () => {
    const only = await serveSlowly(() => latest(1));
    for (const urls of [[only.url], [only.url, DEAD]]) {
      const network = connect(urls);
      for (let call = 0; call < 3; call++) assert.equal(await network.getLatestLedger(), 1);
    }
  });
});

describe('A server with a limit of calls', () => {
  it('Retry-After is obeyed, and the call succeeds after it', async () => {
    let isFirst = true;
    const rpc = await serve(() => {
      if (!isFirst) return latest(4);
      isFirst = false;
      return limited(1);
    });
    const begun = performance.now();
    assert.equal(await connect([rpc.url]).getLatestLedger(), 4);
    const took = performance.now() - begun;
    assert.ok(took >= 950 && took < 3_000, `${took}`);
    assert.equal(rpc.calls.length, 2);
  });

  it('a pause that is too long to wait for refuses calls at once, without sending them', async () => {
    const rpc = await serve(() => limited(30));
    const network = connect([rpc.url]);
    await failure(network.getLatestLedger());
    const begun = performance.now();
    const error = await failure(network.getLatestLedger());
    assert.ok(performance.now() - begun < 200);
    assert.equal(error.code, 'limited');
    assert.ok(error.neverArrived);
    assert.match(error.message, /limit is used up/);
    assert.ok((error.retryAfterMs ?? 0) > 25_000);
    assert.equal(rpc.calls.length, 1);
    assert.ok(network.limitedForMs > 25_000);
  });

  it('the next server answers meanwhile', async () => {
    const first = await serve(() => limited(30));
    const second = await serve(() => latest(2));
    const network = connect([first.url, second.url]);
    for (let call = 0; call < 3; call++) assert.equal(await network.getLatestLedger(), 2);
    assert.equal(first.calls.length, 1);
    assert.equal(network.limitedForMs, 0);
  });

  it('a budget spaces calls out, and submissions go first', async () => {
    const order: string[] = [];
    const rpc = await serve((method) => {
      order.push(method);
      if (method === 'sendTransaction') return sent;
      if (method === 'getTransaction') return { result: { status: 'NOT_FOUND', latestLedger: 5 } };
      return latest(4);
    });
    const network = connect([rpc.url], 10);
    const begun = performance.now();
    const all = [
      ...Array.from({ length: 10 }, () => network.getLatestLedger()),
      ...Array.from({ length: 5 }, () => network.send('AAAA')),
    ];
    await Promise.all(all);
    const took = performance.now() - begun;
    assert.ok(took > 800 && took < 2_500, `${took}`);
    const last = order.lastIndexOf('sendTransaction');
    assert.ok(last < 11, `the last submission was call ${last + 1}`);
  });

  it('at a limit of its own, half as many calls all succeed, and of twice as many the rest is refused at once', async () => {
    const LIMIT = 20;
    let window: number[] = [];
    const rpc = await serve(() => {
      const now = performance.now();
      window = window.filter((at) => now - at < 1_000);
      if (window.length >= LIMIT) return limited(1);
      window.push(now);
      return latest(4);
    });
    const run = async (perSecond: number, seconds: number) => {
      const network = connect([rpc.url]);
      const waits: number[] = [];
      let succeeded = 0;
      const calls: Promise<void>[] = [];
      for (let call = 0; call < perSecond * seconds; call++) {
        const begun = performance.now();
        const made = network.getLatestLedger().then(
          () => {
            succeeded += 1;
          },
          () => {
            waits.push(performance.now() - begun);
          },
        );
        calls.push(made);
        await pause(1_000 / perSecond);
      }
      await Promise.all(calls);
      return { succeeded, waits, all: perSecond * seconds };
    };
    const half = await run(LIMIT / 2, 3);
    assert.equal(half.succeeded, half.all);
    await pause(1_000);
    const twice = await run(LIMIT * 2, 5);
    assert.ok(twice.succeeded > LIMIT * 2, `${twice.succeeded} of ${twice.all}`);
    const quick = twice.waits.filter((ms) => ms < 100).length;
    assert.ok(quick > twice.waits.length / 2, `${quick} of ${twice.waits.length} at once`);
    assert.ok(Math.max(...twice.waits) < 6_500);
  });
});
