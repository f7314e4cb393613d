import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { refusalOf, statusesIn } from '../wire.ts';
import { LIMIT, type World } from '../world.ts';

const REFUSED = '429 rate_limited';

type Headers = Readonly<Record<string, string | string[]>>;

/** Uses up what the minute allows, and then asks a few times as the attack does. */
async function exhausted(target: Target, headers: (n: number) => Headers): Promise<string> {
  for (let n = 0; n <= LIMIT; n++) {
    await target.service({ path: '/supported', headers: headers(-1) });
  }
  const seen = new Set<string>();
  for (let n = 0; n < 5; n++) {
    seen.add(refusalOf(await target.service({ path: '/supported', headers: headers(n) })));
  }
  return [...seen].join(', ');
}

/** A header that names another client each time. */
function naming(
  name: string,
  value: (n: number) => string | string[],
  header = name,
): Attack<World> {
  return {
    name: `${name}: another client each time, once the minute is used up`,
    refused: REFUSED,
    run: ({ limited }) => exhausted(limited, (n) => (n < 0 ? {} : { [header]: value(n) })),
  };
}

/** Behind one trusted proxy, which appends the address it sees. */
function behindProxy(name: string, forged: (n: number) => string): Attack<World> {
  return {
    name,
    refused: REFUSED,
    run: ({ proxied }) =>
      exhausted(proxied, (n) => ({ 'x-forwarded-for': n < 0 ? '198.51.100.7' : forged(n) })),
  };
}

/** A path that some parser on the way reads as another one, which is not counted. */
function path(raw: string): Attack<World> {
  return {
    name: `GET ${raw}, which reads like a path that is exempt`,
    refused: '429',
    async run({ limited }) {
      await exhausted(limited, () => ({}));
      const request = `GET ${raw} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      return statusesIn(await limited.bytes('facilitator', request));
    },
  };
}

/** Strangers who pretend to be many clients. */
export const RATE_LIMIT: AttackTable<World> = {
  kind: 'rate limit',
  attacks: [
    naming('x-forwarded-for', (n) => `203.0.113.${n}`),
    naming('X-Forwarded-For twice', (n) => [`203.0.113.${n}`, '198.51.100.1'], 'x-forwarded-for'),
    naming('forwarded', (n) => `for=203.0.113.${n};proto=https`),
    naming('x-real-ip', (n) => `203.0.113.${n}`),
    naming('x-client-ip', (n) => `203.0.113.${n}`),
    naming('true-client-ip', (n) => `203.0.113.${n}`),
    naming('cf-connecting-ip', (n) => `203.0.113.${n}`),
    naming('x-original-forwarded-for', (n) => `203.0.113.${n}`),
    naming('x-cluster-client-ip', (n) => `203.0.113.${n}`),
    naming('user-agent', (n) => `agent ${n}`),
    naming('authorization', (n) => `Bearer ${n}`),
    behindProxy('behind a proxy: more entries on the left', (n) => `10.0.0.${n}, 198.51.100.7`),
    behindProxy('behind a proxy: the own address with a port', (n) => `198.51.100.7:${1_000 + n}`),
    behindProxy('behind a proxy: the own address as IPv6', (n) =>
      n % 2 === 0 ? '::ffff:198.51.100.7' : '[::ffff:198.51.100.7]:80',
    ),
    behindProxy(
      'behind a proxy: spaces and tabs around the address',
      (n) => `${' '.repeat(n + 1)}198.51.100.7 `,
    ),
    {
      name: 'behind a proxy: another address of one IPv6 network each time',
      refused: REFUSED,
      run: ({ proxied }) =>
        exhausted(proxied, (n) => ({
          'x-forwarded-for': n < 0 ? '2001:db8:1:2::1' : `2001:db8:1:2:${n + 1}::${n}`,
        })),
    },
    {
      name: 'HEAD, OPTIONS and unknown methods, once the minute is used up',
      refused: '429 429 429 429',
      async run({ limited }) {
        await exhausted(limited, () => ({}));
        const statuses: number[] = [];
        for (const method of ['HEAD', 'OPTIONS', 'PROPFIND', 'DELETE']) {
          statuses.push((await limited.service({ method, path: '/supported' })).status);
        }
        return statuses.join(' ');
      },
    },
    path('/health/../supported'),
    path('/health/%2e%2e/supported'),
    path('//health/supported'),
    path('/health;/../supported'),
    path('/passkeys/../supported'),
  ],
};
