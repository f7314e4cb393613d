import { spellingsOf } from '../../../src/cli/check/index.ts';
import type { ForeignUpstream } from './upstreams.ts';

/** A request as bytes, which a client's library would not send. */
export interface RawRequest {
  readonly name: string;
  readonly bytes: Buffer;
}

const HEX = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Other writings of a path. */
function paths(path: string): readonly string[] {
  const cut = path.lastIndexOf('/') + 1;
  const [parent, last] = [path.slice(0, cut), path.slice(cut)];
  const letters = [...path].flatMap((letter, at) => {
    const put = (text: string): string => path.slice(0, at) + text + path.slice(at + 1);
    return letter === '/' && at === 0
      ? []
      : [
          put(HEX(letter).toUpperCase().replace('%', '%')),
          put(HEX(letter)),
          put(HEX(HEX(letter))),
          put(letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()),
        ];
  });
  const between = [
    ...['//', '/./', '/.//', '/x/../', '/%2e/', '/%2E%2E/', '/x/%2e%2e/', '/..;/', '/;/', '/;x=1/'],
    ...['\\', '/\\', '\\/', '%5c', '%2f', '%2F', '/%2f', '%2f/', '%252f', '%c0%af', '%e0%80%af'],
    ...['%ef%bc%8f', '%u2215', '/%09', '/%20', '/%00/', '/%0d%0a', '\t/', '/\u0001', '/.%00/'],
  ].flatMap((slash) => [parent.replace(/\/$/, slash) + last, `${slash}${path.slice(1)}`]);
  const ends = [
    ...['/', '//', '/.', '/..', '/./', '/../', `/../${last}`, '/x/..', ';', ';/', ';a=b', '%3b'],
    ...['.', '..', '%2e', '.json', '.html', '.xml', '.php', '.txt', '.bak', '~', '.json/', '%20'],
    ...['%09', '%00', '%0a', '%0d', '%0d%0a', '%00.json', '%3f', '%23', '?', '??', '#', '#x', '?#'],
    ...['%', '%f', '%zz', '%u0041', '%ff', '%c3', '%ef%bb%bf', '%e2%80%8b', '\u00a0', '*', '/*'],
    ...['?a=b', '?_method=GET', '&a=b', '%26', '%2f', '%5c', '/%2e%2e/', '/index.html', '/index'],
  ].map((end) => path + end);
  const starts = [
    ...['//x', '/index.php', '/app.php', '/cgi-bin', '/.', '/..', '/x/..', '/%2e%2e', '/;', '/*'],
    ...[
      'http://127.0.0.1',
      'http://other.example',
      'http:',
      'http:/',
      'http://',
      'https://a',
      '//a',
    ],
    ...['HTTP://a', 'http://a@b', 'ftp://a', '.', '..', '\\', '%2f', '*', '?', '#', '@', 'x:y@z:1'],
  ].map((start) => start + path);
  return [...letters, ...between, ...ends, ...starts, path.toUpperCase(), HEX(path), path.slice(1)];
}

/**
 * Requests for what is sold, written in other ways: the path, the request line, headers by which a server may take another path or
 * method, and methods. None has a payment. At least 300.
 */
export function rawSpellings({ sold }: ForeignUpstream): readonly RawRequest[] {
  const { method, target, body = '' } = sold;
  const content =
    body === ''
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const made: RawRequest[] = [];
  const add = (name: string, line: string, more = '', end = '\r\n', text = body): void => {
    const head = `${line}${end}Host: 127.0.0.1${end}${more}${content.replaceAll('\r\n', end)}Connection: close${end}${end}`;
    made.push({ name, bytes: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(text)]) });
  };
  for (const {
    name,
    method: by,
    target: to,
    version = '1.1',
    headers = {},
    body: form,
  } of spellingsOf(method, target)) {
    if (form !== undefined) continue;
    const lines = Object.entries(headers).map((pair) => `${pair.join(': ')}\r\n`);
    add(`check: ${name}`, `${by} ${to} HTTP/${version}`, lines.join(''));
  }
  for (const path of paths(target))
    add(`path ${JSON.stringify(path)}`, `${method} ${path} HTTP/1.1`);
  const lines = [
    ...[`${method}  ${target} HTTP/1.1`, `${method}\t${target}\tHTTP/1.1`, `${method} ${target}`],
    ...[
      `${method} ${target} HTTP/0.9`,
      `${method} ${target} HTTP/1.0`,
      `${method} ${target} HTTP/1.2`,
    ],
    ...[
      `${method} ${target} HTTP/2.0`,
      `${method} ${target} http/1.1`,
      ` ${method} ${target} HTTP/1.1`,
    ],
    ...[`${method.toLowerCase()} ${target} HTTP/1.1`, `\r\n${method} ${target} HTTP/1.1`],
    ...[
      `${method} ${target} HTTP/1.1 `,
      `${method} ${target} x HTTP/1.1`,
      `${method}\v${target} HTTP/1.1`,
    ],
  ];
  for (const line of lines) add(`line ${JSON.stringify(line)}`, line);
  for (const end of ['\n', '\r'])
    add(`lines end with ${JSON.stringify(end)}`, `${method} ${target} HTTP/1.1`, '', end);
  for (const other of [
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'QUERY',
    'GETX',
    'get',
  ]) {
    if (other !== method) add(`method ${other}`, `${other} ${target} HTTP/1.1`);
  }
  const moved = [
    ...['X-Original-URL', 'X-Original-URI', 'X-Rewrite-URL', 'X-Forwarded-Path', 'X-Forwarded-Uri'],
    ...['X-Accel-Redirect', 'X-HTTP-DestinationURL', 'Destination', 'X-Envoy-Original-Path'],
    ...['X_Original_URL', 'X-Override-URL', 'Request-Uri', 'X-Forwarded-Prefix', 'X-Script-Name'],
  ];
  for (const header of moved) {
    for (const path of ['/', '/other']) {
      add(`${header} at ${path}`, `${method} ${path} HTTP/1.1`, `${header}: ${target}\r\n`);
    }
  }
  for (const header of [
    'X-HTTP-Method-Override',
    'X-HTTP-Method',
    'X-Method-Override',
    'X_HTTP_Method_Override',
  ]) {
    for (const other of ['POST', 'PUT', 'OPTIONS', 'HEAD']) {
      add(`${other} with ${header}`, `${other} ${target} HTTP/1.1`, `${header}: ${method}\r\n`);
    }
  }
  const headers = [
    ...[
      'Upgrade: websocket\r\nConnection: Upgrade',
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
      'Range: bytes=0-',
    ],
    ...[
      'If-None-Match: "x"',
      'Expect: 100-continue',
      'X-Forwarded-For: 127.0.0.1',
      'X-Forwarded-Host: other',
    ],
    ...['Host: other.example', 'Payment-Signature: e30=', 'X-Payment: e30=', 'X402-Payer: GFORGED'],
    ...[
      'X402-Signature: v1=00',
      'PAYMENT-RESPONSE: e30=',
      'Authorization: Payment e30',
      'Connection: host, x',
    ],
    ...[
      'Connection: payment-signature',
      'Max-Forwards: 0',
      'Accept-Encoding: gzip',
      'Via: 1.1 svc-x402',
      'TE: trailers',
    ],
  ];
  for (const header of headers) add(header, `${method} ${target} HTTP/1.1`, `${header}\r\n`);
  return made;
}
