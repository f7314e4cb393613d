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
    ['JSON that is no answer', 'bad_answer', false, () => ({ status: 200, text: '[]' })],
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

describe('A server that stops in the middle', () => {
  it('is asked once for each call, and what breaks after a timeout concerns nobody', async () => {
    const program = fileURLToPath(
      new URL('../../../test/support/rpcThatStops.mjs', import.meta.url),
    );
    const server = fork(program);
    open.push({ close: () => server.kill('SIGKILL') });
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    const transport = transportTo(`http://127.0.0.1:${port}`, 300);
    // The first call leaves a connection that the second one uses again.
    assert.equal(await transport.call('getHealth', undefined), 1);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    server.kill('SIGSTOP');
    const begun = performance.now();
    assert.equal((await failure(transport.call('getHealth', undefined))).code, 'timeout');
    assert.ok(performance.now() - begun < 2_000);
    // As long as a second attempt would take to time out as well.
    await pause(900);
    server.kill('SIGCONT');
    await pause(300);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
    server.send('how many?');
    const [{ requests }] = (await once(server, 'message')) as [{ requests: number }];
    assert.equal(requests, 2, 'one that was answered, one that was not');
  });

  it('has one time limit for a call and its repetition', async () => {
    let calls = 0;
    const { transport } = await serve(() => {
      calls += 1;
      if (calls === 1) return { result: 1 };
      return calls === 2 ? 'reset' : 'hang';
    }, 700);
    await transport.call('x', undefined);
    const begun = performance.now();
    assert.equal((await failure(transport.call('x', undefined))).code, 'timeout');
    assert.ok(performance.now() - begun < 1_300);
  });
});
