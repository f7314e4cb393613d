import assert from 'node:assert/strict';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type KeyPairPem,
  makeAuthority,
  makeServerCertificate,
} from '../../network/src/http/certificates/certificateAuthority.ts';
import { createJsonRpcTransport } from '../../src/server/network/jsonRpcTransport.ts';
import { RpcError } from '../../src/server/network/rpcError.ts';

describe('An RPC server behind https', () => {
  const open: { close(): unknown }[] = [];
  const sockets = new Set<Socket>();
  let authority: KeyPairPem;
  let port: number;
  after(() => {
    for (const socket of sockets) socket.destroy();
    for (const one of open) one.close();
  });

  before(async () => {
    const now = new Date();
    authority = await makeAuthority(now);
    const { certificate: cert, key } = await makeServerCertificate(authority, now);
    const server = https.createServer({ cert, key }, (request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, params } = JSON.parse(body) as { id: number; params: unknown };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: params }));
      });
    });
    server.on('secureConnection', (socket) => sockets.add(socket));
    server.listen(0, '127.0.0.1');
    open.push(server);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  function transportTo(host: string, certificateAuthority: string | null) {
    const transport = createJsonRpcTransport({
      url: `https://${host}:${port}`,
      certificateAuthority,
      timeoutMs: 2_000,
      maxConnections: 4,
    });
    open.push(transport);
    return transport;
  }

  for (const host of ['localhost', '127.0.0.1']) {
    it(`is trusted through the configured authority, as ${host}, on one connection`, async () => {
      const transport = transportTo(host, authority.certificate);
      const before = sockets.size;
      // Longer than one record of TLS.
      const params = { text: 'é'.repeat(20_000) };
      for (let i = 0; i < 3; i++) assert.deepEqual(await transport.call('x', params), params);
      assert.equal(sockets.size - before, 1);
    });
  }

  it('gets nothing if its authority is unknown', async () => {
    const refused = await transportTo('localhost', null)
      .call('x', {})
      .then(
        () => assert.fail('it was trusted'),
        (error) => error,
      );
    assert.ok(refused instanceof RpcError);
    assert.equal(refused.code, 'unreachable');
    assert.equal(refused.neverArrived, true);
  });

  it('gets a new connection after it closed a kept one', async () => {
    const transport = transportTo('localhost', authority.certificate);
    await transport.call('x', {});
    for (const socket of sockets) socket.destroy();
    assert.deepEqual(await transport.call('x', { again: true }), { again: true });
  });
});
