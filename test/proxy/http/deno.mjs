// The three things of Deno that `h1spec` uses, for Node.

import { once } from 'node:events';
import { connect } from 'node:net';

globalThis.Deno = {
  args: process.argv.slice(2),
  exit: (code) => process.exit(code),
  async connect({ hostname, port }) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    const pieces = socket[Symbol.asyncIterator]();
    return {
      write: (bytes) => new Promise((resolve) => socket.write(bytes, resolve)),
      async read(buffer) {
        const { value, done } = await pieces.next();
        if (done) return null;
        const length = Math.min(value.length, buffer.length);
        buffer.set(value.subarray(0, length));
        return length;
      },
      close: () => socket.destroy(),
    };
  },
};
