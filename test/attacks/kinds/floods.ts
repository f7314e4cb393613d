import type { AttackTable } from '../attack.ts';
import { refusalOf } from '../wire.ts';
import type { World } from '../world.ts';

/** Requests beyond the limit, each of which waits for its answer. */
const BEYOND = 60;
const SENT_AHEAD = 5_000;
/** Requests that may wait on one connection, and answers on the way (decision 0113). */
const MAX_AHEAD = 40;

/** One client for all floods, which is soon far over its limit. */
const CLIENT = { 'x-forwarded-for': '203.0.113.77' };

/** Uses up the minute of the client. */
async function useUp({ proxied, limit }: World): Promise<void> {
  for (let n = 0; n <= limit; n += 1) {
    const { status } = await proxied.service({ path: '/supported', headers: CLIENT });
    if (status === 429) return;
  }
}

/** A client that asks on, far over its limit. */
export const RATE_LIMITS: AttackTable<World> = {
  kind: 'requests far over the limit',
  attacks: [
    {
      name: `${BEYOND} requests of what is read, once the minute is used up`,
      refused: '429 rate_limited, the connection is closed',
      async run(world) {
        await useUp(world);
        const seen = new Set<string>();
        let closed = false;
        for (let n = 0; n < BEYOND; n += 1) {
          const answered = await world.proxied.service({ path: '/supported', headers: CLIENT });
          seen.add(refusalOf(answered));
          closed ||= answered.headers.connection === 'close';
        }
        return `${[...seen].join(', ')}, the connection is ${closed ? '' : 'not '}closed`;
      },
    },
    {
      name: `${BEYOND} settlements, once the minute is used up`,
      refused: '429 rate_limited',
      async run(world) {
        await useUp(world);
        const request = await world.payment(world.stranger, world.stranger);
        const seen = new Set<string>();
        for (let n = 0; n < BEYOND; n += 1) {
          seen.add(refusalOf(await world.proxied.post('/settle', request, CLIENT)));
        }
        return [...seen].join(', ');
      },
    },
  ],
};

const pipelined = (path: string, client: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`.repeat(
    SENT_AHEAD,
  );

/** Sends requests ahead, and returns whether the service handled more of them than it may. */
async function flood({ proxied, limit }: World, path: string, client: string): Promise<string> {
  const text = await proxied.bytes('facilitator', pipelined(path, client));
  const answers = text.split('HTTP/1.1 ').length - 1;
  return answers <= limit + MAX_AHEAD ? 'most are dropped' : `${answers} answers`;
}

/** Requests that are sent before the answers of earlier ones have come. */
export const PIPELINED_FLOODS: AttackTable<World> = {
  kind: 'pipelined floods',
  attacks: [
    {
      name: `${SENT_AHEAD} requests ahead by a client far over its limit`,
      refused: 'most are dropped',
      async run(world) {
        await useUp(world);
        return flood(world, '/supported', CLIENT['x-forwarded-for']);
      },
    },
    {
      name: `${SENT_AHEAD} requests ahead by a client that has just come`,
      refused: 'most are dropped',
      run: (world) => flood(world, '/supported', world.newClient()['x-forwarded-for'] ?? ''),
    },
    {
      name: `${SENT_AHEAD} searches ahead by a client that has just come`,
      refused: 'most are dropped',
      run: (world) =>
        flood(world, '/discovery/search?query=weather', world.newClient()['x-forwarded-for'] ?? ''),
    },
  ],
};
