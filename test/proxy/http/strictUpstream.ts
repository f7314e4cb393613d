import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** An API that reads HTTP/1.1 by the letter and notes whatever two servers could read differently. */
export interface StrictUpstream {
  readonly port: number;
  /** The targets of the requests that came. */
  readonly targets: readonly string[];
  /** Bytes of the proxy that a strict reader refuses. */
  readonly doubtful: readonly string[];
  /** Connections that are open. */
  connections(): number;
  close(): void;
}

const REQUEST_LINE = /^([A-Z][A-Z-]*) (\/[\x21-\x7e]*|\*) HTTP\/1\.1$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t\x20-\x7e\x80-\xff]*)$/;
const CHUNK = /^[0-9a-f]{1,8}$/i;

type Read =
  | { readonly kind: 'more' }
  | { readonly kind: 'doubtful'; readonly why: string }
  | {
      readonly kind: 'request';
      readonly target: string;
      readonly method: string;
      readonly body: Buffer;
      readonly length: number;
    };

const MORE = { kind: 'more' } as const;
const doubtful = (why: string): Read => ({ kind: 'doubtful', why });

/** Reads the first request of a connection. */
function readRequest(bytes: Buffer): Read {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return MORE;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, method = '', target = ''] = REQUEST_LINE.exec(line) ?? [];
  if (method === '') return doubtful(`request line ${JSON.stringify(line)}`);
  const found = new Map<string, string[]>();
  for (const field of fields) {
    const [, name, value = ''] = FIELD.exec(field) ?? [];
    if (name === undefined) return doubtful(`header ${JSON.stringify(field)}`);
    const lower = name.toLowerCase().replaceAll('_', '-');
    found.set(lower, [...(found.get(lower) ?? []), value]);
  }
  const [lengths = [], codings = [], hosts = []] = [
    'content-length',
    'transfer-encoding',
    'host',
  ].map((name) => found.get(name));
  if (hosts.length !== 1) return doubtful(`${hosts.length} hosts`);
  if (lengths.length + codings.length > 1) return doubtful(`lengths ${lengths} and ${codings}`);
  const start = end + 4;
  const [coding] = codings;
  if (coding !== undefined && coding !== 'chunked') return doubtful(`coding ${coding}`);
  if (coding === undefined) {
    const [length = '0'] = lengths;
    if (!/^\d{1,15}$/.test(length)) return doubtful(`length ${length}`);
    const all = start + Number(length);
    if (bytes.length < all) return MORE;
    return { kind: 'request', method, target, body: bytes.subarray(start, all), length: all };
  }
  const pieces: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return MORE;
    const size = bytes.subarray(at, lineEnd).toString('latin1');
    if (!CHUNK.test(size)) return doubtful(`chunk ${JSON.stringify(size)}`);
    const length = Number.parseInt(size, 16);
    const next = lineEnd + 2 + length;
    if (bytes.length < next + 2) return MORE;
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') return doubtful('end of a chunk');
    pieces.push(bytes.subarray(lineEnd + 2, next));
    at = next + 2;
    if (length === 0)
      return { kind: 'request', method, target, body: Buffer.concat(pieces), length: at };
  }
}

/** Starts it. It answers each request with its body, or a letter where that is empty. */
export async function startStrictUpstream(): Promise<StrictUpstream> {
  const targets: string[] = [];
  const noted: string[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      for (let read = readRequest(bytes); read.kind !== 'more'; read = readRequest(bytes)) {
        if (read.kind === 'doubtful') {
          noted.push(read.why);
          socket.destroy();
          return;
        }
        targets.push(read.target);
        bytes = bytes.subarray(read.length);
        const body = read.body.length === 0 ? Buffer.from('.') : read.body;
        const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n`;
        socket.write(read.method === 'HEAD' ? head : Buffer.concat([Buffer.from(head), body]));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    ...{ targets, doubtful: noted, connections: () => open.size },
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
