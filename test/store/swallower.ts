import net from 'node:net';

/** Passes bytes on to a server, or swallows them while its connections stay open. */
export async function startSwallower(target: URL) {
  let swallows = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!swallows) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    swallow: (on: boolean) => {
      swallows = on;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
