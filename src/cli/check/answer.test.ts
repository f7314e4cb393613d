import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import { ask } from './answer.ts';

it('each request has its own connection, because some servers close one without saying so', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      setTimeout(() => socket.destroy(), 50);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (let index = 0; index < 3; index += 1) {
      assert.equal((await ask(origin, { method: 'GET', target: '/' })).body, 'ok');
    }
    assert.equal(connections, 3);
  } finally {
    server.close();
  }
});
