import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { codeIn, statusesIn } from '../wire.ts';

/** Hosts that a name of an attacker's may carry after it was led to this machine. */
const FOREIGN: Readonly<Record<string, string>> = {
  'a name that was rebound to this machine': 'evil.example',
  'a name that begins like this machine': 'localhost.evil.example',
  'an address as the first labels of a name': '127.0.0.1.evil.example',
  'a name that ends like this machine': 'evil.example.localhost',
  'the address that means any': '0.0.0.0',
  'a private address': '192.168.0.1',
  'this machine in decimal': '2130706433',
  'this machine in hexadecimal': '0x7f000001',
  'this machine as an IPv4-mapped address': '[::ffff:127.0.0.1]',
};

/** Values of `Host` that are not a host. */
const MALFORMED: Readonly<Record<string, string>> = {
  'a user before this machine': 'evil.example@localhost',
  'this machine before an at sign': 'localhost@evil.example',
  'a path behind this machine': 'localhost/evil.example',
  'a bracket that is never closed': '[::1',
  'a port beyond the last': 'localhost:99999',
  'a port that is none': 'localhost:port',
  'a space within': 'local host',
  'a backslash': 'localhost\\evil.example',
  'a query': 'localhost?evil.example',
  'a percent sign': '%6cocalhost%00',
};

/** Sends a request with this exact Host. Returns the status, and what distinguishes a refusal from an answer. */
async function asked(target: Target, port: 'facilitator' | 'ledger', host: string) {
  const text = await target.bytes(
    port,
    `POST /settle HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
  );
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { statuses: statusesIn(text), code: codeIn(body) };
}

const REFUSALS = new Set(['421 wrong_host', '400 invalid_http']);

function facilitator([name, host]: readonly [string, string]): Attack<Target> {
  return {
    name: `facilitator: ${name} (${host})`,
    refused: 'a refusal in JSON',
    async run(target) {
      const { statuses, code } = await asked(target, 'facilitator', host);
      const seen = `${statuses} ${code}`;
      return REFUSALS.has(seen) ? 'a refusal in JSON' : seen;
    },
  };
}

function network([name, host]: readonly [string, string]): Attack<Target> {
  return {
    name: `network: ${name} (${host})`,
    refused: 'refused',
    async run(target) {
      const { statuses } = await asked(target, 'ledger', host);
      return ['403', '400'].includes(statuses) ? 'refused' : statuses;
    },
  };
}

/** What else names a host, and must not count. */
const BESIDE: readonly Attack<Target>[] = [
  {
    name: 'facilitator: the rebound name in Host, this machine in X-Forwarded-Host',
    refused: '421 wrong_host',
    async run(target) {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
      const { status, text } = await target.service({ path: '/supported', headers });
      return `${status} ${codeIn(text)}`;
    },
  },
  {
    name: 'facilitator: two Hosts, the first of this machine',
    refused: '421',
    run: async (target) =>
      statusesIn(
        await target.bytes(
          'facilitator',
          'GET /supported HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
        ),
      ),
  },
  {
    name: 'facilitator: an absolute target of this machine, the rebound name in Host',
    refused: '421',
    run: async (target) =>
      statusesIn(
        await target.bytes(
          'facilitator',
          'GET http://localhost/supported HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
        ),
      ),
  },
  {
    name: 'network: an absolute target of this machine, the rebound name in Host',
    refused: '403',
    run: async (target) =>
      statusesIn(
        await target.bytes(
          'ledger',
          'GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
        ),
      ),
  },
  {
    name: 'network: the rebound name asks /control',
    refused: '403',
    async run(target) {
      const { status } = await target.network({
        method: 'POST',
        path: '/control',
        headers: { host: 'evil.example', 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"svc_closeLedger"}',
      });
      return `${status}`;
    },
  },
];

/** Names that lead to this machine without being its names (DNS rebinding). */
export const HOSTS: AttackTable<Target> = {
  kind: 'hosts',
  attacks: [
    ...[...Object.entries(FOREIGN), ...Object.entries(MALFORMED)].map(facilitator),
    ...[...Object.entries(FOREIGN), ...Object.entries(MALFORMED)].map(network),
    ...BESIDE,
  ],
};
