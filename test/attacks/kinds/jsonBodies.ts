import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import type { Answered } from '../wire.ts';
import { refusalOf } from '../wire.ts';
import type { World } from '../world.ts';

interface Route {
  readonly port: 'service' | 'network';
  readonly path: string;
}

/** Every route that reads JSON, the operator's with its token. */
const ROUTES: readonly Route[] = [
  { port: 'service', path: '/verify' },
  { port: 'service', path: '/settle' },
  { port: 'service', path: '/discovery/validate' },
  { port: 'service', path: '/policies/generate' },
  { port: 'service', path: '/policies/validate' },
  { port: 'service', path: '/policies/deploy' },
  { port: 'service', path: '/operator/catalog' },
  { port: 'service', path: '/passkeys' },
  { port: 'network', path: '/rpc' },
  { port: 'network', path: '/control' },
];

export function postJson(target: Target, { port, path }: Route, body: string | Buffer) {
  const { operatorToken } = target.parts;
  const headers = {
    'content-type': 'application/json',
    ...(path === '/operator/catalog' ? { authorization: `Bearer ${operatorToken}` } : {}),
  };
  return target[port]({ method: 'POST', path, headers, body });
}

/** Whether an answer refuses: a status of 4xx, errors of JSON-RPC, a definition or listing that is not valid. */
function isRefusal({ status, text }: Answered): boolean {
  if (status >= 400 && status < 500) return true;
  if (status !== 200) return false;
  const answers = [JSON.parse(text)].flat() as readonly Readonly<Record<string, unknown>>[];
  return answers.every(
    ({ error, valid, wouldBeListed }) =>
      error !== undefined || valid === false || wouldBeListed === false,
  );
}

/** Sends a body to every route. */
function everywhere(name: string, body: string | Buffer): Attack<Target> {
  return {
    name: `${name}, to all ${ROUTES.length} routes`,
    refused: 'refused',
    async run(target) {
      const taken: string[] = [];
      for (const route of ROUTES) {
        const answered = await postJson(target, route, body);
        if (!isRefusal(answered)) taken.push(`${route.path} ${answered.status}`);
      }
      return taken.length === 0 ? 'refused' : taken.join(', ');
    },
  };
}

const POLLUTED = 'pollutedByTheAttackSuite';
const POLLUTIONS: Readonly<Record<string, string>> = {
  '__proto__ at the top': `{"__proto__":{"${POLLUTED}":1}}`,
  'constructor.prototype at the top': `{"constructor":{"prototype":{"${POLLUTED}":1}}}`,
  '__proto__ in what routes read': `{"x402Version":2,"action":{"__proto__":{"${POLLUTED}":1}},"paymentPayload":{"__proto__":{"${POLLUTED}":1},"extensions":{"__proto__":{"${POLLUTED}":1}}},"extensions":{"bazaar":{"__proto__":{"${POLLUTED}":1}}},"params":{"__proto__":{"${POLLUTED}":1}}}`,
  '__proto__ as a key of an array': `[{"__proto__":[{"${POLLUTED}":1}]}]`,
};

function pollution([name, body]: readonly [string, string]): Attack<Target> {
  const { run, refused } = everywhere(name, body);
  return {
    name: `${name}, to all ${ROUTES.length} routes`,
    refused: 'refused, no prototype changed',
    async run(target) {
      const seen = await run(target);
      const isClean = !(POLLUTED in {}) && !(POLLUTED in []) && !(POLLUTED in Function);
      return seen === refused && isClean ? 'refused, no prototype changed' : seen;
    },
  };
}

/** A payment that would settle, with something done to its text. */
function payment(name: string, refused: string, change: (text: string) => string): Attack<World> {
  return {
    name,
    refused,
    async run(world) {
      const request = await world.payment(world.stranger, world.victim);
      return refusalOf(await world.post('/settle', change(JSON.stringify(request))));
    },
  };
}

const AMOUNT = '200 invalid_amount';

/** JSON that means something else to another parser, or breaks one. */
export const JSON_BODIES: AttackTable<World> = {
  kind: 'JSON',
  attacks: [
    ...Object.entries(POLLUTIONS).map(pollution),
    {
      name: '__proto__ in the query of the list and the search',
      refused: 'no prototype changed',
      async run(target) {
        for (const path of ['/discovery/resources', '/discovery/search']) {
          const query = `?query=a&__proto__[${POLLUTED}]=1&constructor[prototype][${POLLUTED}]=1`;
          const { status } = await target.service({ path: `${path}${query}` });
          if (status >= 500) return `${path} ${status}`;
        }
        return POLLUTED in {} ? 'a prototype changed' : 'no prototype changed';
      },
    },
    everywhere('30,000 brackets', '['.repeat(30_000)),
    everywhere('5,000 objects in one another', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    everywhere('null', 'null'),
    everywhere('a number', '1e400'),
    everywhere('a text', '"x402"'),
    everywhere('an empty array', '[]'),
    everywhere('half an object', '{"x402Version":'),
    everywhere('a comma too many', '{"x402Version":2,}'),
    everywhere('NaN', '{"x402Version":NaN}'),
    everywhere('a byte order mark', '\uFEFF{}'),
    everywhere('UTF-16', Buffer.from('{"x402Version":2}', 'utf16le')),
    everywhere('bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31])),
    everywhere('a NUL behind the body', '{}\u0000'),
    everywhere('members with the names of methods', '{"toString":1,"hasOwnProperty":2,"then":3}'),
    payment(
      'a payment whose amount is there twice, the signed one first',
      '200 wrong_amount',
      (text) => text.replaceAll('"amount":"100000"', '"amount":"100000","amount":"1"'),
    ),
    payment(
      'a payment whose recipient is there twice, another one last',
      '200 wrong_recipient',
      (text) =>
        text.replaceAll(
          /"payTo":"(G\w+)"/g,
          '"payTo":"$1","payTo":"GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5"',
        ),
    ),
    payment('a payment with its version twice', '200 invalid_x402_version', (text) =>
      text.replace('"x402Version":2', '"x402Version":2,"x402Version":1'),
    ),
    payment('an amount as a number', '400 invalid_payload', (text) =>
      text.replaceAll('"amount":"100000"', '"amount":100000'),
    ),
    payment('an amount with leading zeros', AMOUNT, (text) =>
      text.replaceAll('"amount":"100000"', '"amount":"00100000"'),
    ),
    payment('an amount in another script', AMOUNT, (text) =>
      text.replaceAll('"amount":"100000"', '"amount":"１０００００"'),
    ),
    payment('a negative amount', AMOUNT, (text) =>
      text.replaceAll('"amount":"100000"', '"amount":"-100000"'),
    ),
  ],
};
