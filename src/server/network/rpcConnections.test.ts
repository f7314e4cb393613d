import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createJsonRpcTransport } from './jsonRpcTransport.ts';
import { RpcError } from './rpcError.ts';

const open: { close(): unknown }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

/** A server that answers each request with bytes, and a transport to it. */
async function serve(
  answer: (request: number, socket: Socket) => string | undefined,
  { maxConnections = 4, path = '/', timeoutMs = 2_000 } = {},
) {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      requests.push(bytes.toString());
      const text = answer(requests.length, socket);
      if (text !== undefined) socket.write(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const transport = createJsonRpcTransport({
    url: `http://us%65r:word@127.0.0.1:${port}${path}`,
    certificateAuthority: null,
    timeoutMs,
    maxConnections,
  });
  open.push(transport);
  return { port, requests, sockets, transport };
}

/** The response to the call with this id. */
function result(id: number, headers = ''): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: id });
  return `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail('it was answered'),
    (error) => (error instanceof RpcError ? error.code : error),
  );

describe('A request to the RPC server', () => {
  it('writes head and body at once, to the path of the URL, with its credentials', async () => {
    const { port, requests, transport } = await serve((id) => result(id), { path: '/a/b?c=d' });
    assert.equal(await transport.call('é', undefined), 1);
    const body = '{"jsonrpc":"2.0","id":1,"method":"é"}';
    assert.deepEqual(requests, [
      `POST /a/b?c=d HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n` +
        `authorization: Basic ${Buffer.from('user:word').toString('base64')}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ]);
  });

  it('waits for a connection if all are in use, in the order of the calls', async () => {
    const { requests, sockets, transport } = await serve((id) => result(id), { maxConnections: 2 });
    const calls = ['a', 'b', 'c', 'd', 'e'].map((method) => transport.call(method, undefined));
    await Promise.allSettled(calls);
    assert.equal(sockets.length, 2);
    const methods = requests.map((request) => /"method":"(.)"/.exec(request)?.[1]);
    assert.deepEqual(methods.slice(2), ['c', 'd', 'e']);
  });

  it('uses no connection that the server is about to close', async () => {
    const { sockets, transport } = await serve((id) => result(id, 'keep-alive: timeout=1\r\n'));
    await transport.call('a', undefined);
    await transport.call('b', undefined);
    assert.equal(sockets.length, 2);
  });

  it('uses no connection on which unrequested bytes arrived', async () => {
    const { sockets, transport } = await serve((id) => result(id));
    await transport.call('a', undefined);
    sockets[0]?.write(result(2));
    await pause(50);
    assert.equal(await transport.call('b', undefined), 2);
    assert.equal(sockets.length, 2);
  });

  it('gets everything until the connection ends as its response, if the length is not given', async () => {
    const { sockets, transport } = await serve((id, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n\r\n{"jsonrpc":"2.0","id":${id},"result":${id}}`);
      return undefined;
    });
    assert.equal(await transport.call('a', undefined), 1);
    assert.equal(await transport.call('b', undefined), 2);
    assert.equal(sockets.length, 2);
  });

  it('is interrupted by bytes that are not HTTP, and by a truncated response', async () => {
    const { transport } = await serve((id, socket) => {
      if (id % 2 === 1) return 'SSH-2.0-x\r\n\r\n';
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{');
      return undefined;
    });
    assert.equal(await codeOf(transport.call('a', undefined)), 'interrupted');
    assert.equal(await codeOf(transport.call('b', undefined)), 'interrupted');
  });

  it('is not repeated once its response has begun on a kept connection', async () => {
    const { requests, transport } = await serve((id, socket) => {
      if (id === 1) return result(id);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{');
      return undefined;
    });
    await transport.call('a', undefined);
    assert.equal(await codeOf(transport.call('b', undefined)), 'interrupted');
    assert.equal(requests.length, 2);
  });

  it('that submits is never repeated, even if the kept connection was closed', async () => {
    const { requests, transport } = await serve((id, socket) => {
      if (id === 1) return result(id);
      socket.destroy();
      return undefined;
    });
    await transport.call('a', undefined);
    assert.equal(await codeOf(transport.call('sendTransaction', {})), 'interrupted');
    assert.equal(requests.length, 2);
  });

  it('that timed out frees its connection for waiting ones', async (t) => {
    let now = 1_000;
    t.mock.method(performance, 'now', () => now);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { requests, transport } = await serve((id) => (id === 1 ? undefined : result(2)), {
      maxConnections: 1,
      timeoutMs: 400,
    });
    const first = codeOf(transport.call('a', undefined));
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    now += 200;
    t.mock.timers.tick(200);
    const second = transport.call('b', undefined);
    now += 200;
    t.mock.timers.tick(200);
    assert.equal(await first, 'timeout');
    assert.equal(await second, 2);
  });

  it('that waits fails at once when the transport is closed', async () => {
    const { transport } = await serve(() => undefined, { maxConnections: 1 });
    const calls = [transport.call('a', undefined), transport.call('b', undefined)].map(codeOf);
    await pause(50);
    transport.close();
    assert.deepEqual(await Promise.all(calls), ['interrupted', 'unreachable']);
  });
});
