import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { statusesIn } from '../wire.ts';

const MIB = 1 << 20;

/** Routes with a body, their port, and the media type that each takes. */
const ROUTES = [
  ['service', '/verify', 'application/json'],
  ['service', '/settle', 'application/json'],
  ['service', '/discovery/validate', 'application/json'],
  ['service', '/policies/generate', 'application/json'],
  ['service', '/policies/validate', 'application/json'],
  ['service', '/policies/deploy', 'application/json'],
  ['network', '/rpc', 'application/json'],
  ['network', '/transactions', 'application/x-www-form-urlencoded'],
  ['network', '/transactions_async', 'application/x-www-form-urlencoded'],
  ['network', '/friendbot', 'application/x-www-form-urlencoded'],
] as const;

type Route = (typeof ROUTES)[number];

function tooLarge([port, path, type]: Route): Attack<Target>[] {
  const asked = (more: object) => ({
    method: 'POST',
    path,
    headers: { 'content-type': type },
    ...more,
  });
  return [
    {
      name: `${path}: 2 MiB with their length`,
      refused: '413',
      run: async (target) =>
        `${(await target[port](asked({ body: Buffer.alloc(2 * MIB, 'a') }))).status}`,
    },
    {
      name: `${path}: 4 MiB in chunks, without a length`,
      refused: '413',
      run: async (target) =>
        `${(await target[port](asked({ body: Buffer.alloc(4 * MIB, 'a'), chunks: 65_536 }))).status}`,
    },
  ];
}

/** Text that grows a thousandfold when it is unpacked. */
const BOMB = Buffer.from(`{"x402Version":2,"a":"${'a'.repeat(16 * MIB)}"}`);

function packed(name: string, pack: (bytes: Buffer) => Buffer): Attack<Target> {
  let packedOnce: Buffer | undefined;
  return {
    name: `16 MiB of JSON in ${name}, to every route`,
    refused: 'read packed, never unpacked',
    async run(target) {
      packedOnce ??= pack(BOMB);
      const body = packedOnce;
      const before = process.memoryUsage().rss;
      for (const [port, path] of ROUTES) {
        const headers = { 'content-type': 'application/json', 'content-encoding': name };
        const { status, text } = await target[port]({ method: 'POST', path, headers, body });
        const isRefused = status >= 400 && status < 500;
        const isRpcError = status === 200 && text.includes('"error"');
        if (!isRefused && !isRpcError) return `${path} ${status}`;
      }
      const grown = (process.memoryUsage().rss - before) / MIB;
      return grown < 256 ? 'read packed, never unpacked' : `${grown} MiB more memory`;
    },
  };
}

/** Bodies that are larger than they look, or than they may be. */
export const SIZES: AttackTable<Target> = {
  kind: 'sizes',
  attacks: [
    ...ROUTES.flatMap(tooLarge),
    {
      name: '/control: a length of 300 MB, and no body',
      refused: '413',
      run: async (target) =>
        statusesIn(
          await target.bytes(
            'ledger',
            'POST /control HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 300000000\r\n\r\n',
          ),
        ),
    },
    packed('gzip', gzipSync),
    packed('deflate', deflateSync),
    packed('br', brotliCompressSync),
    {
      name: 'a URL of 12 kB to the search',
      refused: 'answered, and bounded',
      async run(target) {
        const { status, text } = await target.service({
          path: `/discovery/search?query=${'a'.repeat(12_000)}`,
        });
        return status < 500 && text.length < 100_000 ? 'answered, and bounded' : `${status}`;
      },
    },
    {
      name: '1,000 parameters to the list',
      refused: 'answered, and bounded',
      async run(target) {
        const query = Array.from({ length: 1_000 }, (_, n) => `p${n}=1`).join('&');
        const { status, text } = await target.service({ path: `/discovery/resources?${query}` });
        return status < 500 && text.length < 100_000 ? 'answered, and bounded' : `${status}`;
      },
    },
    {
      name: '100 calls more than a batch of RPC may have',
      refused: 'an error of JSON-RPC',
      async run(target) {
        const call = '{"jsonrpc":"2.0","id":1,"method":"getEvents","params":{"startLedger":1}}';
        const { text } = await target.network({
          method: 'POST',
          path: '/rpc',
          headers: { 'content-type': 'application/json' },
          body: `[${Array.from({ length: 1_000 }, () => call).join(',')}]`,
        });
        return /^\{"jsonrpc":"2.0","id":null,"error"/.test(text)
          ? 'an error of JSON-RPC'
          : text.slice(0, 80);
      },
    },
  ],
};
