import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { statusesIn } from '../wire.ts';

/** Longer than any of the deadlines that are tried here. */
const PATIENCE_MS = 40_000;

function unfinished(name: string, port: 'facilitator' | 'ledger', begin: string): Attack<Target> {
  return {
    name,
    refused: 'cut off',
    async run(target) {
      const startedAt = performance.now();
      const statuses = statusesIn(await target.bytes(port, begin, PATIENCE_MS));
      const isCut = performance.now() - startedAt < PATIENCE_MS;
      return isCut && (statuses === '408' || statuses === 'closed') ? 'cut off' : statuses;
    },
  };
}

/** Requests that never become whole. */
export const SLOW: AttackTable<Target> = {
  kind: 'slow',
  together: true,
  attacks: [
    unfinished(
      'facilitator: headers that never end',
      'facilitator',
      'POST /settle HTTP/1.1\r\nHost: localhost\r\nX-A: a',
    ),
    unfinished(
      'facilitator: a body that never ends',
      'facilitator',
      'POST /settle HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ),
    unfinished(
      'facilitator: a chunk that never ends',
      'facilitator',
      'POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{',
    ),
    unfinished(
      'network: headers that never end',
      'ledger',
      'POST /rpc HTTP/1.1\r\nHost: localhost\r\nX-A: a',
    ),
    unfinished(
      'network: a TLS handshake that never ends',
      'ledger',
      '\u0016\u0003\u0001\u0002\u0000',
    ),
    unfinished('network: a connection that says nothing', 'ledger', ''),
  ],
};
