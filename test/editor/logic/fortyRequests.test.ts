import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  type AnswerShown,
  buildRequest,
  createCookieJar,
  formFor,
  type RequestForm,
  redirectForm,
} from '../../../src/extension/request/index.ts';
import { sendInPanel } from './panelRequest.ts';

/** A request as the server received it. */
interface Received {
  readonly method: string;
  readonly url: string;
  /** Names in lower case; repeated ones joined as they came. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Row {
  readonly name: string;
  readonly form: Partial<Omit<RequestForm, 'url'>> & { readonly path: string };
  readonly respond: (response: ServerResponse, received: Received) => void;
  readonly received?: Partial<Omit<Received, 'body' | 'headers'>> & {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
  };
  readonly shown?: Partial<Omit<AnswerShown, 'notes' | 'headers'>> & {
    readonly notes?: readonly RegExp[];
    readonly headers?: Readonly<Record<string, readonly string[]>>;
  };
  readonly headline?: RegExp;
  readonly detail?: RegExp;
  /** The body that the panel received is not the whole one that was sent, or is sent in another encoding. */
  readonly isCut?: boolean;
  readonly noAnswer?: boolean;
  readonly cancelAfterMs?: number;
}

const respondWith =
  (status: number, headers: Readonly<Record<string, string | string[]>>, body?: string | Buffer) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };
const json = respondWith(200, { 'content-type': 'application/json' }, '{"ok":true}');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const bytes = (...values: number[]): Buffer => Buffer.from(values);
const NOT_ASKED = /did not ask for a payment/;
const LONG = JSON.stringify(Array.from({ length: 1_500_000 }, (_, index) => index % 10));
const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

const ROWS: readonly Row[] = [
  // Methods.
  ...['GET', 'DELETE', 'OPTIONS'].map(
    (method): Row => ({
      name: `${method} without a body`,
      form: { method, path: '/thing' },
      respond: json,
      received: { method, url: '/thing', body: '', headers: { 'content-type': undefined } },
      shown: { status: 200, view: 'json', text: '{\n  "ok": true\n}', notes: [] },
      headline: NOT_ASKED,
    }),
  ),
  {
    name: 'HEAD, whose response has headers and no body',
    form: { method: 'HEAD', path: '/thing' },
    respond: respondWith(200, { 'content-length': '512', 'x-one': 'a' }),
    received: { method: 'HEAD', body: '' },
    shown: { view: 'none', bytes: 0, headers: { 'x-one': ['a'] } },
    isCut: true,
  },
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Row => ({
      name: `${method} with JSON, sent as it was typed`,
      form: { method, path: '/thing', body: '{ "n": 12345678901234567890 }' },
      respond: json,
      received: {
        method,
        body: '{ "n": 12345678901234567890 }',
        headers: { 'content-type': 'application/json' },
      },
    }),
  ),
  {
    name: 'GET with a body in the form, which is left out with its type',
    form: {
      method: 'GET',
      path: '/thing',
      body: '{}',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
    },
    respond: json,
    received: { body: '', headers: { 'content-type': undefined, 'content-length': undefined } },
  },
  // Bodies.
  {
    name: 'text, with a type of its own',
    form: { method: 'POST', path: '/note', body: 'Grüße, 日本 \u{1f600}' },
    respond: (response, { body }) =>
      respondWith(200, { 'content-type': 'text/plain' }, body)(response),
    received: {
      body: 'Grüße, 日本 \u{1f600}',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    },
    shown: { view: 'text', text: 'Grüße, 日本 \u{1f600}', notes: [] },
  },
  {
    name: 'a form of a web page',
    form: {
      method: 'POST',
      path: '/form',
      headers: [{ name: 'content-type', value: 'application/x-www-form-urlencoded' }],
      body: 'a=1&b=%C3%BC',
    },
    respond: respondWith(201, { location: '/form/1' }),
    received: {
      body: 'a=1&b=%C3%BC',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    shown: { status: 201, view: 'none', headers: { location: ['/form/1'] } },
  },
  {
    name: 'a body of 3 MB',
    form: { method: 'POST', path: '/large', body: 'x'.repeat(3_000_000) },
    respond: (response, { body }) => respondWith(200, {}, String(body.length))(response),
    received: { body: 'x'.repeat(3_000_000) },
    shown: { text: '3000000' },
  },
  {
    name: 'POST with nothing',
    form: { method: 'POST', path: '/empty' },
    respond: respondWith(204, {}),
    received: { body: '', headers: { 'content-length': '0', 'content-type': undefined } },
    shown: { status: 204, view: 'none', notes: [] },
  },
  // Addresses and headers.
  {
    name: 'a query that is signed, byte for byte',
    form: {
      method: 'GET',
      path: "/signed?flag&sig=a%20b&q=it's?x",
      query: [{ name: 'n', value: 'ü &' }],
    },
    respond: json,
    received: { url: '/signed?flag&sig=a%20b&q=it%27s?x&n=%C3%BC+%26' },
  },
  {
    name: 'path parameters with signs that mean something in a URL',
    form: {
      method: 'GET',
      path: '/item/:id/*',
      pathParams: [
        { name: 'id', value: 'a/b?c#d%' },
        { name: '*', value: 'e f/g' },
      ],
    },
    respond: json,
    received: { url: '/item/a%2Fb%3Fc%23d%25/e%20f/g' },
  },
  {
    name: 'a header given twice, with both values',
    form: {
      method: 'GET',
      path: '/tags',
      headers: [
        { name: 'X-Tag', value: 'a' },
        { name: 'x-tag', value: 'b' },
        { name: 'Accept', value: 'text/plain' },
      ],
    },
    respond: json,
    received: { headers: { 'x-tag': 'a, b', accept: 'text/plain' } },
  },
  {
    name: 'a request that says who sends it, which some servers need',
    form: { method: 'GET', path: '/agent' },
    respond: (response, { headers }) =>
      respondWith(headers['user-agent'] === undefined ? 403 : 200, {})(response),
    shown: { status: 200 },
  },
  {
    name: 'headers of a response, repeated ones and in UTF-8',
    form: { method: 'GET', path: '/headers' },
    respond: (response) => {
      response.writeHead(200, [
        ...['X-Many', '1', 'X-Many', '2'],
        ...['X-City', Buffer.from('Zürich', 'utf8').toString('latin1')],
      ]);
      response.end();
    },
    shown: { headers: { 'X-Many': ['1', '2'], 'X-City': ['Zürich'] } },
  },
  // Texts and charsets.
  ...(
    [
      ['ISO-8859-1', 'text/plain; charset=iso-8859-1', bytes(0xfc), 'ü'],
      ['Windows-1251', 'text/plain; charset=windows-1251', bytes(0xcf, 0xf0), 'Пр'],
      ['UTF-16 by its mark', 'text/plain', Buffer.from('\ufeffab', 'utf16le'), 'ab'],
      [
        'a page that names its charset',
        'text/html',
        bytes(...Buffer.from('<meta charset=latin1>'), 0xe9),
        '<meta charset=latin1>é',
      ],
    ] as const
  ).map(
    ([name, type, body, text]): Row => ({
      name: `text in ${name}`,
      form: { method: 'GET', path: '/text' },
      respond: respondWith(200, { 'content-type': type }, body),
      shown: { text, notes: [] },
    }),
  ),
  {
    name: 'an error in ISO-8859-1, which is quoted in it',
    form: { method: 'GET', path: '/error' },
    respond: respondWith(
      404,
      { 'content-type': 'text/plain; charset=iso-8859-1' },
      bytes(0xfc, 0x62),
    ),
    shown: { status: 404, text: 'üb' },
    headline: /refused the request/,
    detail: /^it responded with 404: üb$/,
  },
  ...(
    [
      ['gzip', gzipSync('{"a":1}')],
      ['br', brotliCompressSync('{"a":1}')],
      ['deflate', deflateSync('{"a":1}')],
    ] as const
  ).map(
    ([encoding, body]): Row => ({
      name: `JSON that the server compresses with ${encoding}`,
      form: { method: 'GET', path: '/packed' },
      respond: respondWith(
        200,
        { 'content-type': 'application/json', 'content-encoding': encoding },
        body,
      ),
      shown: { view: 'json', text: '{\n  "a": 1\n}', notes: [], bytes: body.length },
    }),
  ),
  {
    name: 'an encoding that is not known, which is named',
    form: { method: 'GET', path: '/packed' },
    respond: respondWith(
      200,
      { 'content-type': 'application/json', 'content-encoding': 'zip9' },
      PNG,
    ),
    shown: { view: 'binary', text: '', notes: [/zip9/, /Save it/] },
  },
  // JSON.
  {
    name: 'JSON of 3 MB, shown up to a limit with a note',
    form: { method: 'GET', path: '/long' },
    respond: respondWith(200, { 'content-type': 'application/json' }, LONG),
    shown: { bytes: LONG.length, isText: true, notes: [/^The first 200000 of \d+ characters/] },
  },
  {
    name: 'JSON nested 30,000 deep',
    form: { method: 'GET', path: '/deep' },
    respond: respondWith(200, { 'content-type': 'application/json' }, DEEP),
    shown: { bytes: DEEP.length, isText: true },
  },
  {
    name: 'something that is called JSON and is not',
    form: { method: 'GET', path: '/broken' },
    respond: respondWith(200, { 'content-type': 'application/json' }, '{"a":'),
    shown: { view: 'text', text: '{"a":' },
  },
  // Other media.
  {
    name: 'an image',
    form: { method: 'GET', path: '/image' },
    respond: respondWith(200, { 'content-type': 'image/png' }, PNG),
    shown: { view: 'image', data: `data:image/png;base64,${PNG.toString('base64')}`, notes: [] },
  },
  {
    name: 'a PDF, which is saved',
    form: { method: 'GET', path: '/pdf' },
    respond: respondWith(
      200,
      { 'content-type': 'application/pdf' },
      Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes(0xe2, 0xe3)]),
    ),
    shown: { view: 'binary', text: '', notes: [/Save it/] },
  },
  {
    name: 'a page, as its source',
    form: { method: 'GET', path: '/page' },
    respond: respondWith(200, { 'content-type': 'text/html' }, '<script>alert(1)</script>'),
    shown: { view: 'html', text: '<script>alert(1)</script>' },
  },
  // What a server asks for instead.
  ...[301, 302, 303, 307, 308].map(
    (status): Row => ({
      name: `a redirect with ${status}, which is not followed by itself`,
      form: { method: 'POST', path: '/old', body: '{}' },
      respond: respondWith(status, { location: '/new?a=1' }),
      received: { method: 'POST' },
      shown: { status, headers: { location: ['/new?a=1'] } },
      headline: /redirects to another address\. Nothing was paid\./,
      detail: /^\/new\?a=1$/,
    }),
  ),
  {
    name: '401, with each scheme that the server names',
    form: { method: 'GET', path: '/private' },
    respond: respondWith(401, { 'www-authenticate': ['Basic realm="a"', 'Bearer realm="b"'] }),
    shown: { status: 401 },
    headline: /asks for authorization/,
    detail: /Basic realm="a".*Bearer realm="b"/,
  },
  {
    name: '403, with what the server says',
    form: {
      method: 'GET',
      path: '/forbidden',
      headers: [{ name: 'authorization', value: 'Bearer x' }],
    },
    respond: respondWith(403, { 'content-type': 'application/json' }, '{"error":"no scope"}'),
    received: { headers: { authorization: 'Bearer x' } },
    shown: { status: 403 },
    headline: /asks for authorization/,
    detail: /no scope/,
  },
  {
    name: '402 without terms, which is not called a fault of the network',
    form: { method: 'GET', path: '/terms' },
    respond: respondWith(402, {}, 'pay by invoice'),
    shown: { status: 402, text: 'pay by invoice' },
    headline: /terms are malformed/,
  },
  {
    name: '500, with its words and without its mark-up',
    form: { method: 'GET', path: '/fault' },
    respond: respondWith(
      500,
      { 'content-type': 'text/html' },
      `<h1>Fault</h1>${'<style>'.repeat(60_000)}`,
    ),
    shown: { status: 500 },
    headline: /failed before it required payment/,
    detail: /Fault/,
  },
  {
    name: '304, which is not a redirect',
    form: { method: 'GET', path: '/same', headers: [{ name: 'If-None-Match', value: '"1"' }] },
    respond: respondWith(304, { etag: '"1"' }),
    received: { headers: { 'if-none-match': '"1"' } },
    shown: { status: 304, view: 'none' },
    headline: NOT_ASKED,
  },
  // Time.
  {
    name: 'a stream, as it arrives',
    form: { method: 'GET', path: '/stream' },
    respond: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 150);
    },
    shown: { text: 'data: 1\n\ndata: 2\n\n', notes: [] },
  },
  {
    name: 'a stream that is cancelled, with what came',
    form: { method: 'GET', path: '/stream' },
    respond: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    },
    shown: { text: 'data: 1\n\n', notes: [/^You cancelled the response after 9 B/] },
    cancelAfterMs: 300,
  },
  {
    name: 'a response that is cancelled before it comes',
    form: { method: 'GET', path: '/never' },
    respond: () => undefined,
    headline: /was cancelled\. Nothing was paid/,
    noAnswer: true,
    cancelAfterMs: 150,
  },
  {
    name: 'a server that is silent for longer than the time limit, and is not said to be off',
    form: { method: 'GET', path: '/never', timeLimit: '1' },
    respond: () => undefined,
    headline: /did not respond within the time limit/,
    noAnswer: true,
  },
  {
    name: 'a body that stops at the time limit, with what came',
    form: { method: 'GET', path: '/half', timeLimit: '1' },
    respond: (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('half');
    },
    shown: { text: 'half', notes: [/time limit ended the response after 4 B/] },
  },
  {
    name: 'a server that closes the connection instead, and is not said to be off',
    form: { method: 'POST', path: '/closed', body: 'x' },
    respond: (response) => response.destroy(),
    headline: /connection ended before a response came/,
    detail: /socket hang up/,
    noAnswer: true,
  },
  {
    name: 'a body that breaks off, with what came',
    form: { method: 'GET', path: '/broken' },
    respond: (response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half', () => response.destroy());
    },
    shown: { text: 'half', notes: [/broke after 4 B/] },
    isCut: true,
  },
];

describe('Requests of all kinds through the panel', () => {
  let server: Server;
  let origin = '';
  let respond: Row['respond'] = () => undefined;
  let received: readonly Received[] = [];
  /** Bytes of each body that the server wrote. */
  let written = 0;
  let status = 0;

  before(async () => {
    server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const one = receivedOf(request, Buffer.concat(pieces));
        received = [...received, one];
        const { write, end } = response;
        const count = (piece: unknown) => {
          written +=
            typeof piece === 'string' || Buffer.isBuffer(piece) ? Buffer.byteLength(piece) : 0;
        };
        response.write = ((...rest: Parameters<typeof write>) => {
          count(rest[0]);
          return write.apply(response, rest);
        }) as typeof write;
        response.end = ((...rest: Parameters<typeof end>) => {
          count(rest[0]);
          return end.apply(response, rest);
        }) as typeof end;
        respond(response, one);
        status = response.statusCode;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => {
    received = [];
    written = 0;
  });

  const formOf = ({ path, ...rest }: Row['form']): RequestForm => ({
    ...formFor('GET', '', undefined),
    url: `${origin}${path}`,
    ...rest,
  });

  it('are at least forty', () => assert.ok(ROWS.length >= 40, String(ROWS.length)));

  for (const row of ROWS) {
    it(`[finding: E7] ${row.name}`, async () => {
      respond = row.respond;
      const form = formOf(row.form);
      const begun = Date.now();
      const { outcome, answer, streamed } = await sendInPanel(form, row);
      assert.ok(Date.now() - begun < 20_000, 'the panel took too long');
      assert.equal(received.length, 1, 'one request was sent');
      const [one] = received;
      assert.equal(one?.method, form.method);
      const { headers, body, ...line } = row.received ?? {};
      for (const [name, value] of Object.entries(line)) {
        assert.equal(one[name as 'method' | 'url'], value);
      }
      if (body !== undefined) assert.equal(one.body.toString('utf8'), body);
      for (const [name, value] of Object.entries(headers ?? {})) {
        assert.equal(one.headers[name], value, name);
      }
      assert.equal(outcome.running, false);
      if (row.headline !== undefined) assert.match(outcome.headline, row.headline);
      if (row.detail !== undefined) assert.match(outcome.detail, row.detail);
      assert.deepEqual(outcome.receipt, [], 'nothing was paid');
      assert.equal(answer === undefined, row.noAnswer === true);
      if (answer === undefined) return;
      assert.equal(answer.status, status, 'the status that the server sent');
      if (row.isCut !== true) assert.equal(answer.bytes, written, 'all bytes that were sent');
      const { notes, headers: named, ...rest } = row.shown ?? {};
      for (const [name, value] of Object.entries(rest)) {
        assert.deepEqual(answer[name as keyof AnswerShown], value, name);
      }
      if (notes !== undefined) {
        assert.equal(answer.notes.length, notes.length, answer.notes.join('\n'));
        for (const [index, note] of notes.entries()) assert.match(answer.notes[index] ?? '', note);
      }
      for (const [name, values] of Object.entries(named ?? {})) {
        const found: AnswerShown['headers'] = answer.headers.filter((known) => known.name === name);
        assert.deepEqual(
          found.map(({ value }) => value),
          values,
        );
      }
      if (row.form.path === '/stream') assert.equal(streamed.join(''), answer.text);
    });
  }

  it('[finding: E7] cookies come back, also those for localhost, and leave with the session', async () => {
    const jar = createCookieJar();
    const local = origin.replace('127.0.0.1', 'localhost');
    respond = respondWith(200, {
      'set-cookie': [
        'a=1; Path=/',
        'b=2; Domain=localhost; Path=/',
        'c=3; Max-Age=; Path=/',
        'd=4; Max-Age=0; Path=/',
      ],
    });
    await sendInPanel({ ...formOf({ method: 'GET', path: '' }), url: `${local}/login` }, { jar });
    respond = json;
    await sendInPanel({ ...formOf({ method: 'GET', path: '' }), url: `${local}/page` }, { jar });
    assert.equal(received.at(-1)?.headers['cookie'], 'a=1; b=2; c=3');
    await sendInPanel(formOf({ method: 'GET', path: '/page' }), { jar });
    assert.equal(received.at(-1)?.headers['cookie'], undefined);
  });

  const REDIRECTS = [
    [303, 'POST', '/a?flag&sig=a%20b', 'GET', '/a?flag&sig=a%20b', ''],
    [302, 'POST', '/files/*?x={y}', 'GET', '/files/*?x={y}', ''],
    [307, 'POST', 'next', 'POST', '/from/next', '{"a":1}'],
    [308, 'PUT', '//{host}/abs', 'PUT', '/abs', '{"a":1}'],
    [301, 'DELETE', Buffer.from('/zürich').toString('latin1'), 'DELETE', '/z%C3%BCrich', '{"a":1}'],
  ] as const;
  for (const [code, method, location, next, url, body] of REDIRECTS) {
    it(`[finding: E7] a redirect with ${code} to ${location} is followed as ${next} on request`, async () => {
      const form = formOf({ method, path: '/from/here', body: '{"a":1}' });
      respond = respondWith(code, { location: location.replace('{host}', new URL(origin).host) });
      const shown = await sendInPanel(form);
      const followed = redirectForm(form, shown.answer);
      assert.ok(followed);
      respond = json;
      await sendInPanel(followed);
      const one = received.at(-1);
      assert.deepEqual([one?.method, one?.url, one?.body.toString()], [next, url, body]);
    });
  }

  it('[finding: E7] a redirect to nowhere, or to another scheme, is not followed', async () => {
    const form = formOf({ method: 'GET', path: '/from' });
    for (const location of ['http://[', 'javascript:alert(1)', 'file:///etc/passwd']) {
      respond = respondWith(302, { location });
      assert.equal(redirectForm(form, (await sendInPanel(form)).answer), undefined, location);
    }
  });

  it('[finding: E7] a redirect to another origin takes no secret with it', async () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer secret' },
      { name: 'X-Api-Key', value: 'secret' },
      { name: 'x-trace', value: '1' },
    ];
    const form = formOf({ method: 'GET', path: '/from', headers });
    respond = respondWith(302, { location: `${origin.replace('127.0.0.1', 'localhost')}/to` });
    const followed = redirectForm(form, (await sendInPanel(form)).answer);
    assert.deepEqual(followed?.headers, [{ name: 'x-trace', value: '1' }]);
  });

  const REFUSED: readonly (readonly [string, Partial<RequestForm>, string])[] = [
    ['a header that HTTP cannot carry', { headers: [{ name: 'x', value: '日本' }] }, 'headers.0'],
    [
      'a control character in a header',
      { headers: [{ name: 'x', value: 'a\u0001b' }] },
      'headers.0',
    ],
    [
      'a charset in which the body is not sent',
      {
        method: 'POST',
        body: 'ü',
        headers: [{ name: 'content-type', value: 'text/plain; charset=latin1' }],
      },
      'headers.0',
    ],
    [
      'a parameter that would change the path',
      { pathParams: [{ name: 'id', value: '..' }] },
      'pathParams.0',
    ],
  ];
  for (const [name, change, field] of REFUSED) {
    it(`[finding: E7] ${name} is a problem of its field, and nothing is sent`, () => {
      const built = buildRequest({
        ...formFor('GET', `${origin}/a/:id`, { pathParams: { id: 1 } }),
        ...change,
      });
      assert.deepEqual(built.ok ? [] : built.problems.map((problem) => problem.field), [field]);
    });
  }

  it('[finding: E7] a URL is taken apart without a loss', () => {
    for (const [url, base, query] of [
      ['http://h/x?next=/a?b=1', 'http://h/x', [['next', '/a?b=1']]],
      ['http://h/x?a=1#part', 'http://h/x', [['a', '1']]],
    ] as const) {
      const form = formFor('GET', url, undefined);
      assert.equal(form.url.split('?')[0], base);
      const built = buildRequest(form);
      assert.ok(built.ok);
      assert.deepEqual([...new URL(built.request.url).searchParams], query);
      assert.equal(new URL(built.request.url).hash, '');
    }
  });
});

function receivedOf(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  body: Buffer,
): Received {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { method, url, headers, body };
}
