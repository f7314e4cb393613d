import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RpcScript, startScriptedRpc } from '../../../test/support/scriptedRpc.ts';
import { createJsonRpcTransport } from './jsonRpcTransport.ts';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

const open: { close(): unknown }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

function transportTo(url: string, timeoutMs = 2_000) {
  const transport = createJsonRpcTransport({
    url,
    certificateAuthority: null,
    timeoutMs,
    maxConnections: 4,
  });
  open.push(transport);
  return transport;
}

async function serve(script: RpcScript, timeoutMs?: number) {
  const rpc = await startScriptedRpc(script);
  open.push(rpc);
  return { rpc, transport: transportTo(rpc.url, timeoutMs) };
}

async function failure(call: Promise<unknown>): Promise<RpcError> {
  return call.then(
    () => assert.fail('it was answered'),
    (error) => {
      assert.ok(error instanceof RpcError);
      return error;
    },
  );
}

describe('JSON-RPC calls', () => {
  it('give the result, and send params only when there are some', async () => {
    const seen: unknown[] = [];
    const { transport } = await serve((method, params) => {
      seen.push([method, params]);
      return { result: { ok: 1 } };
    });
    assert.deepEqual(await transport.call('a', undefined), { ok: 1 });
    await transport.call('b', { x: 'é' });
    assert.deepEqual(seen, [
      ['a', {}],
      ['b', { x: 'é' }],
    ]);
  });

  it('reuse connections', async () => {
    const sockets = new Set<unknown>();
    let calls = 0;
    const server = http.createServer((request, response) => {
      sockets.add(request.socket);
      request.resume();
      response.end(JSON.stringify({ jsonrpc: '2.0', id: ++calls, result: 1 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.closeAllConnections() }, server);
    const transport = transportTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (let i = 0; i < 10; i++) await transport.call('x', undefined);
    assert.equal(sockets.size, 1);
  });

  it('survive a kept connection that the server closed meanwhile', async () => {
    let calls = 0;
    const { transport } = await serve(() => (++calls === 2 ? 'reset' : { result: calls }));
    assert.equal(await transport.call('x', undefined), 1);
    assert.equal(await transport.call('x', undefined), 3);
  });
});

describe('[spec: Limits/Transient-failure retry] A call that gives no answer says why, and whether that may pass', () => {
  const cases: [string, RpcErrorCode, boolean, RpcScript][] = [
    [
      'an error of the server',
      'refused',
      false,
      () => ({ error: { code: -32_601, message: 'no' } }),
    ],
    ['a page of HTML', 'bad_answer', false, () => ({ status: 200, text: '<html>' })],
    ...[429, 502, 503, 504].map((status): [string, RpcErrorCode, boolean, RpcScript] => [
      `HTTP ${status}`,
      'overloaded',
      true,
      () => ({ status, text: '<html>' }),
    ]),
    [
      'an internal error of the server',
      'refused',
      true,
      () => ({ error: { code: -32_603, message: 'database is locked' } }),
    ],
    [
      'a trouble of the server of its own kind',
      'refused',
      true,
      () => ({ error: { code: -32_001, message: 'not ready' } }),
    ],
    [
      'a request that is wrong',
      'refused',
      false,
      () => ({ error: { code: -32_602, message: 'invalid params' } }),
    ],
    ['JSON that is not an answer', 'bad_answer', false, () => ({ status: 200, text: '[]' })],
    [
      'the answer to another call',
      'bad_answer',
      false,
      () => ({ status: 200, text: '{"jsonrpc":"2.0","id":402,"result":{"status":"SUCCESS"}}' }),
    ],
    [
      'answers to a batch of calls',
      'bad_answer',
      false,
      () => ({ status: 200, text: '[{"jsonrpc":"2.0","id":1,"result":1}]' }),
    ],
    ['JSON null', 'bad_answer', false, () => ({ status: 200, text: 'null' })],
    ['a connection that breaks', 'interrupted', true, () => 'reset'],
    ['silence', 'timeout', true, () => 'hang'],
  ];
  for (const [what, code, transient, script] of cases) {
    it(`${what}: ${code}`, async () => {
      const { transport } = await serve(script, 300);
      const error = await failure(transport.call('x', undefined));
      assert.equal(error.code, code);
      assert.equal(error.transient, transient);
      assert.equal(error.neverArrived, false);
    });
  }

  it('nobody there: unreachable, and certainly nothing arrived', async () => {
    const { rpc, transport } = await serve(() => 'hang');
    await rpc.close();
    const error = await failure(transport.call('x', undefined));
    assert.equal(error.code, 'unreachable');
    assert.equal(error.neverArrived, true);
  });

  it('keeps the number of a JSON-RPC error', async () => {
    const { transport } = await serve(() => ({ error: { code: -32_602, message: 'x' } }));
    assert.equal((await failure(transport.call('x', undefined))).rpcCode, -32_602);
  });
});

describe('Calls that only read can be made together', () => {
  const two = [
    { method: 'a', params: { x: 1 } },
    { method: 'b', params: undefined },
  ];

  it('in one request, each with its own result', async () => {
    const { rpc, transport } = await serve((method) => ({ result: `of ${method}` }));
    assert.deepEqual(await Promise.all(transport.callTogether(two)), ['of a', 'of b']);
    assert.deepEqual([rpc.calls, rpc.requests], [['a', 'b'], 1]);
  });

  it('and one fails by itself', async () => {
    const { transport } = await serve((method) =>
      method === 'a' ? { error: { code: -32_602, message: 'no' } } : { result: 2 },
    );
    const [a, b] = transport.callTogether(two);
    const error = await failure(a ?? Promise.resolve());
    assert.deepEqual([error.code, error.rpcCode, error.method], ['refused', -32_602, 'a']);
    assert.equal(await b, 2);
  });

  it('and all fail when the request does', async () => {
    for (const [reply, code] of [
      ['reset', 'interrupted'],
      ['hang', 'timeout'],
      [{ status: 503, text: 'later' }, 'overloaded'],
    ] as const) {
      const { rpc, transport } = await serve(() => reply, 300);
      for (const one of transport.callTogether(two)) {
        assert.equal((await failure(one)).code, code);
      }
      assert.equal(rpc.requests, 1);
    }
  });

  /** A server that answers a batch with some bytes, and single calls well. */
  async function batchesAnswered(text: (ids: readonly number[]) => string, status = 200) {
    const bodies: unknown[] = [];
    const server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as
        | { id: number }
        | { id: number }[];
      bodies.push(body);
      if (Array.isArray(body)) response.writeHead(status).end(text(body.map(({ id }) => id)));
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: 'alone' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.closeAllConnections() }, server);
    const { port } = server.address() as AddressInfo;
    return { bodies, transport: transportTo(`http://127.0.0.1:${port}`) };
  }

  it('but not with a server that takes no batches: each is a request of its own, and no batch is tried for a while', async () => {
    const refusals: [string, number?][] = [
      ['{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}'],
      ['[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}]'],
      ['Bad Request', 400],
      ['<html>', 404],
      ['[]'],
      ['[7, null, "x", {}]'],
      [''],
    ];
    for (const [text, status] of refusals) {
      const { bodies, transport } = await batchesAnswered(() => text, status);
      for (const asked of [3, 2]) {
        bodies.length = 0;
        assert.deepEqual(await Promise.all(transport.callTogether(two)), ['alone', 'alone'], text);
        assert.equal(bodies.length, asked, text);
      }
    }
  });

  it('whose answers come in any order; one that is missing or there twice is not believed', async () => {
    const answer = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":${id}}`;
    const { transport } = await batchesAnswered((ids) => `[${ids.map(answer).reverse().join()}]`);
    assert.deepEqual(await Promise.all(transport.callTogether(two)), [1, 2]);

    for (const spoil of [
      ([first = 0]: readonly number[]) => `[${answer(first)}]`,
      ([first = 0, second = 0]: readonly number[]) =>
        `[${answer(first)},${answer(second)},${answer(second)}]`,
      ([first = 0, second = 0]: readonly number[]) =>
        `[${answer(first)},{"jsonrpc":"2.0","id":${second}}]`,
    ]) {
      const spoilt = await batchesAnswered(spoil);
      const [a, b] = spoilt.transport.callTogether(two);
      assert.equal(await a, 1);
      const error = await failure(b ?? Promise.resolve());
      assert.deepEqual([error.code, error.method], ['bad_answer', 'b']);
    }
  });

  it('each is counted as a call', async () => {
    const { rpc } = await serve((method) =>
      method === 'a' ? { error: { code: -32_603, message: 'no' } } : { result: 2 },
    );
    const counted: string[] = [];
    const transport = createJsonRpcTransport({
      url: rpc.url,
      certificateAuthority: null,
      timeoutMs: 2_000,
      maxConnections: 4,
      onCall: (method, outcome) => counted.push(`${method} ${outcome}`),
    });
    open.push(transport);
    await Promise.allSettled(transport.callTogether(two));
    assert.deepEqual(counted, ['a refused', 'b ok']);
  });
});

describe('A server that stops in the middle', () => {
  it('is asked once for each call, and what breaks after a timeout concerns nobody', async () => {
    const program = fileURLToPath(
      new URL('../../../test/support/rpcThatStops.mjs', import.meta.url),
    );
    const server = fork(program);
    open.push({ close: () => server.kill('SIGKILL') });
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    // Enough for an answer on a busy machine.
    const limitMs = 1_500;
    const transport = transportTo(`http://127.0.0.1:${port}`, limitMs);
    // The first call leaves a connection that the second one uses again.
    assert.equal(await transport.call('getHealth', undefined), 1);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    server.kill('SIGSTOP');
    assert.equal((await failure(transport.call('getHealth', undefined))).code, 'timeout');
    // As long as a second attempt would take to time out as well.
    await pause(limitMs + 500);
    server.kill('SIGCONT');
    await pause(300);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
    server.send('how many?');
    const [{ requests }] = (await once(server, 'message')) as [{ requests: number }];
    assert.equal(requests, 2, 'one that was answered, one that was not');
  });

  it('has one time limit for a call and its repetition', async (t) => {
    let now = 1_000;
    t.mock.method(performance, 'now', () => now);
    let calls = 0;
    let repeat = (): void => {};
    const repeated = new Promise<void>((resolve) => {
      repeat = resolve;
    });
    const { transport } = await serve(() => {
      calls += 1;
      if (calls === 1) return { result: 1 };
      if (calls === 2) {
        now += 500;
        return 'reset';
      }
      repeat();
      return 'hang';
    }, 700);
    await transport.call('x', undefined);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let ended = false;
    const failed = failure(transport.call('x', undefined)).finally(() => {
      ended = true;
    });
    await repeated;
    // The repetition began after 500 of the 700 milliseconds.
    t.mock.timers.tick(199);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(ended, false);
    t.mock.timers.tick(1);
    assert.equal((await failed).code, 'timeout');
  });
});
