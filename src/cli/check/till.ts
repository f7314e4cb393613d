import { createServer } from 'node:http';

/** A facilitator that lists what it supports and settles nothing. */
export interface Till {
  readonly url: string;
  close(): Promise<void>;
}

const SUPPORTED = JSON.stringify({
  kinds: [
    {
      x402Version: 2,
      scheme: 'exact',
      network: 'stellar:testnet',
      extra: { areFeesSponsored: true },
    },
  ],
  extensions: ['bazaar'],
  signers: {},
});

/**
 * Gates query their facilitator's supported schemes before they name a price. A checked app uses this facilitator, so a check
 * does not need a service, and none of its requests can be settled.
 */
export async function openTill(): Promise<Till> {
  const server = createServer((request, response) => {
    const known = request.method === 'GET' && request.url?.split('?')[0]?.endsWith('/supported');
    response.writeHead(known ? 200 : 503, { 'content-type': 'application/json' });
    response.end(known ? SUPPORTED : '{"error":"check_only"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
