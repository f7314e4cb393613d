import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { statusesIn } from '../wire.ts';

type Port = 'facilitator' | 'ledger';

const PORTS: readonly Port[] = ['facilitator', 'ledger'];

/** A request that another parser would read as the one that is smuggled. */
const INNER = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Bytes that are not a valid request (RFC 9112), by name. Each has to be refused as a whole. */
const BROKEN: Readonly<Record<string, string>> = {
  'Content-Length and Transfer-Encoding': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${INNER}`,
  'Transfer-Encoding before Content-Length': `POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${INNER}`,
  'two lengths that differ': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: ${INNER.length}\r\n\r\n${INNER}`,
  'a list of lengths': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0, ${INNER.length}\r\n\r\n${INNER}`,
  'a negative length': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n${INNER}`,
  'a length with a plus sign': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\nhello`,
  'a length in hexadecimal': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x5\r\n\r\nhello`,
  'a length beyond 64 bits': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18446744073709551617\r\n\r\n${INNER}`,
  'chunked that is not the last encoding': `POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${INNER}`,
  'an encoding that only looks like chunked': `POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${INNER}`,
  'chunked behind a vertical tab': `POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n${INNER}`,
  'a space before the colon': `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5\r\n\r\nhello${INNER}`,
  'a chunk size that is not a number': `POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
  'a NUL in a header': 'GET /x HTTP/1.1\r\nHost: localhost\r\nX-A: a\u0000b\r\n\r\n',
  'a bare carriage return in a header': `GET /x HTTP/1.1\r\nHost: localhost\r\nX-A: a\rTransfer-Encoding: chunked\r\n\r\n${INNER}`,
  'a header name with a space': 'GET /x HTTP/1.1\r\nHost: localhost\r\nX A: b\r\n\r\n',
  'an invalid method': 'GE(T /x HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an unknown version': 'GET /x HTTP/9.9\r\nHost: localhost\r\n\r\n',
  'no Host at all': 'GET /health HTTP/1.1\r\n\r\n',
  'the first bytes of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};

/** One answer, a refusal, and no second one: the bytes after it were not read as a request. */
async function refusedWhole(target: Target, port: Port, bytes: string): Promise<string> {
  const statuses = statusesIn(await target.bytes(port, bytes));
  return statuses === 'closed' || /^4\d\d$/.test(statuses) ? 'refused whole' : statuses;
}

function broken(port: Port): Attack<Target>[] {
  return Object.entries(BROKEN).map(([name, bytes]) => ({
    name: `${port}: ${name}`,
    refused: 'refused whole',
    run: (target) => refusedWhole(target, port, bytes),
  }));
}

/** Requests behind one another, and bodies that hold one. */
function nested(port: Port): Attack<Target>[] {
  return [
    {
      name: `${port}: a request in the body of another`,
      refused: 'no answer to /smuggled',
      async run(target) {
        const head = `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${INNER.length}\r\n\r\n`;
        const statuses = statusesIn(await target.bytes(port, `${head}${INNER}`));
        return statuses.split(' ').length === 1 ? 'no answer to /smuggled' : statuses;
      },
    },
    {
      name: `${port}: a request in the extension of a chunk`,
      refused: 'no answer to /smuggled',
      async run(target) {
        const head =
          'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
        const chunk = `2;a="${INNER.replaceAll('\r\n', ' ')}"\r\n{}\r\n0\r\n\r\n`;
        const statuses = statusesIn(await target.bytes(port, `${head}${chunk}`));
        return statuses.split(' ').length === 1 ? 'no answer to /smuggled' : statuses;
      },
    },
    {
      name: `${port}: a megabyte of chunk extensions`,
      refused: 'refused whole',
      run: (target) =>
        refusedWhole(
          target,
          port,
          `POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(1 << 20)}\r\n{}\r\n0\r\n\r\n`,
        ),
    },
    {
      name: `${port}: 64 KiB of headers`,
      refused: '431',
      run: async (target) =>
        statusesIn(
          await target.bytes(
            port,
            `GET /x HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(65_536)}\r\n\r\n`,
          ),
        ),
    },
    {
      name: `${port}: an upgrade to a WebSocket`,
      refused: 'no upgrade',
      async run(target) {
        const text = await target.bytes(
          port,
          'GET /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: https://evil.example\r\n\r\n',
        );
        return statusesIn(text).includes('101') ? 'upgraded' : 'no upgrade';
      },
    },
    {
      name: `${port}: CONNECT to another host, as to a proxy`,
      refused: 'no tunnel',
      async run(target) {
        const text = await target.bytes(
          port,
          'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: localhost\r\n\r\n',
        );
        return /^HTTP\/1\.1 2/.test(text) ? 'a tunnel' : 'no tunnel';
      },
    },
    {
      name: `${port}: TRACE, which would show headers of a proxy`,
      refused: 'nothing shown',
      async run(target) {
        const text = await target.bytes(
          port,
          'TRACE /x HTTP/1.1\r\nHost: localhost\r\nX-Secret: of-the-proxy\r\n\r\n',
        );
        return text.includes('of-the-proxy') ? 'shown' : 'nothing shown';
      },
    },
  ];
}

/** Bytes that two parsers on the way read differently. */
export const FRAMING: AttackTable<Target> = {
  kind: 'framing',
  attacks: PORTS.flatMap((port) => [...broken(port), ...nested(port)]),
};
