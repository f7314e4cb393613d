import type { Attack, AttackTable } from '../attack.ts';
import { refusalOf } from '../wire.ts';
import type { World } from '../world.ts';

/** A text in a path or query, which must find nothing and break nothing. */
function reads(name: string, path: string, refused: string): Attack<World> {
  return {
    name: `${name} (${path.slice(0, 80)})`,
    refused,
    async run(world) {
      const { status, text } = await world.service({ path });
      if (status !== 200) return refusalOf({ status, text, headers: {} });
      const { items, resources } = JSON.parse(text) as { items?: unknown[]; resources?: unknown[] };
      return `${(items ?? resources)?.length ?? 'no'} entries`;
    },
  };
}

const sql = (text: string): string => encodeURIComponent(text);

/** A member of a settled payment that carries line ends and control characters. */
function withTexts(name: string, texts: object): Attack<World> {
  return {
    name: `a settled payment with ${name}`,
    refused: 'one line a record, no header of it',
    changes: ['catalog', 'settlements', 'ledger', 'sponsor'],
    async run(world) {
      const request = await world.payment(world.stranger, world.stranger);
      const input = { type: 'http', method: 'GET', queryParams: {} };
      Object.assign(request.paymentPayload, {
        resource: { url: 'https://api.squatter.dev/texts', ...texts },
        extensions: { bazaar: { info: { input }, schema: { type: 'object' } } },
      });
      const lines = world.lines();
      const answered = await world.post('/settle', request);
      if (answered.status !== 200) return refusalOf(answered);
      const forged = Object.keys(answered.headers).filter((name) => name.startsWith('x-forged'));
      const { text } = await world.service({ path: '/discovery/resources?limit=100' });
      const isSeen =
        /x-forged/i.test(text.replaceAll(/"x-forged[^"]*"/gi, '')) && /[\r\n]/.test(text);
      const broken = world
        .lines()
        .slice(lines.length)
        .filter((line) => /[\r\n]/.test(line));
      return forged.length === 0 && broken.length === 0 && !isSeen
        ? 'one line a record, no header of it'
        : `${forged} ${broken}`;
    },
  };
}

const LINE_ENDS = 'a\r\nX-Forged: 1\r\n\r\n{"level":30,"msg":"settled"}\u2028\u0085\u001b[2J';

/** Texts that try to be read as something else: a statement, a header, a line of the log, a page, a file. */
export const INJECTION: AttackTable<World> = {
  kind: 'injection',
  attacks: [
    reads('SQL in payTo', `/discovery/resources?payTo=${sql("' OR 1=1 --")}`, '0 entries'),
    reads('SQL in asset', `/discovery/resources?asset=${sql("' OR '1'='1")}`, '0 entries'),
    reads(
      'SQL in network',
      `/discovery/resources?network=${sql("x' UNION SELECT 1 --")}`,
      '0 entries',
    ),
    reads(
      'SQL in extensions',
      `/discovery/resources?extensions=${sql("') OR 1=1 --")}`,
      '0 entries',
    ),
    reads(
      'SQL in offset',
      `/discovery/resources?offset=${sql('1; DROP TABLE catalog_entries')}`,
      '400 invalid_parameter',
    ),
    reads('SQL in limit', `/discovery/resources?limit=${sql('1 OR 1=1')}`, '400 invalid_parameter'),
    reads('the wildcards of LIKE in payTo', '/discovery/resources?payTo=%25', '0 entries'),
    reads(
      'SQL in a cursor',
      `/discovery/search?query=a&cursor=${sql("' OR 1=1 --")}`,
      '400 invalid_cursor',
    ),
    reads('SQL in a hash', `/settlements/${sql("' OR 1=1 --")}`, '400 invalid_request'),
    reads(
      'SQL in a nonce',
      `/settlements?payer=GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5&nonce=${sql('1 OR 1=1')}`,
      '400 invalid_request',
    ),
    reads(
      'a settlement by a nonce that was guessed',
      '/settlements?payer=GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5&nonce=1',
      '404 settlement_not_found',
    ),
    reads(
      'a path out of the catalog’s page',
      '/catalog/..%2f..%2f..%2fetc%2fpasswd',
      '404 not_found',
    ),
    reads('a path with a NUL', '/catalog%00.html', '404 not_found'),
    reads('a file of the project', '/.env', '404 not_found'),
    reads('a wallet that is a path', '/policies/wallets/..%2f..%2foperator', '400 invalid_request'),
    reads('a wallet with SQL', `/policies/wallets/${sql("' OR 1=1 --")}`, '400 invalid_request'),
    {
      name: 'a name for the request that holds a line end (x-request-id)',
      refused: 'not taken over',
      async run(world) {
        const { headers } = await world.service({
          path: '/supported',
          headers: { 'x-request-id': 'forged-by-a-stranger', traceparent: 'forged' },
        });
        return JSON.stringify(headers).includes('forged') ? 'taken over' : 'not taken over';
      },
    },
    {
      name: 'line ends in the path, against the log',
      refused: 'one line a record',
      async run(world) {
        const before = world.lines().length;
        await world.service({ path: '/%0d%0a%7b%22level%22:50%7d%0a' });
        const lines = world.lines().slice(before);
        return lines.every((line) => !/[\r\n]/.test(line) && !line.includes('level'))
          ? 'one line a record'
          : lines.join();
      },
    },
    withTexts('line ends in its description', { description: LINE_ENDS }),
    withTexts('line ends in its service name', { serviceName: LINE_ENDS }),
    withTexts('line ends in its tags', { tags: [LINE_ENDS, LINE_ENDS] }),
    withTexts('line ends in its media type', { mimeType: LINE_ENDS }),
    {
      name: 'line ends in a scheme, which the log names',
      refused: 'refused, one line a record',
      async run(world) {
        const request = await world.payment(world.stranger, world.victim);
        const before = world.lines().length;
        const terms = { ...request.paymentRequirements, scheme: LINE_ENDS };
        const accepted = { ...request.paymentPayload.accepted, scheme: LINE_ENDS };
        const { status } = await world.post('/verify', {
          ...request,
          paymentRequirements: terms,
          paymentPayload: { ...request.paymentPayload, accepted },
        });
        const isBroken = world
          .lines()
          .slice(before)
          .some((line) => /[\r\n]/.test(line));
        return status < 500 && !isBroken ? 'refused, one line a record' : `${status}`;
      },
    },
  ],
};
