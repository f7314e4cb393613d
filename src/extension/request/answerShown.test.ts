import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { nodeTransport } from '../http/index.ts';
import {
  type AnswerShown,
  answerShown,
  formatJson,
  MAX_SHOWN_TEXT,
  wholeText,
} from './answerShown.ts';

type Respond = (response: ServerResponse) => void;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('[finding: E7] a response in the panel', () => {
  let server: Server;
  let url = '';
  let respond: Respond = (response) => response.end();
  before(async () => {
    server = createServer((_request, response) => respond(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function received(next: Respond, options: Parameters<typeof nodeTransport>[0] = {}) {
    respond = next;
    const ask = nodeTransport({ keepPartial: true, ...options });
    return (await ask({ method: 'GET', url })).exchange;
  }

  const shown = async (type: string, body: string | Buffer): Promise<AnswerShown> =>
    answerShown(
      await received((response) =>
        response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
      ),
    );

  it('has status, time, size, type and every header, repeated ones too', async () => {
    const exchange = await received((response) => {
      response.writeHead(207, 'Many Things', [
        ...['Content-Type', 'text/plain; charset=utf-8'],
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-One', 'é'],
      ]);
      response.end('Grüße');
    });
    const answer = answerShown(exchange);
    assert.deepEqual(
      [answer.status, answer.statusText, answer.type],
      [207, 'Many Things', 'text/plain'],
    );
    assert.deepEqual([answer.bytes, answer.size, answer.text], [7, '7 B', 'Grüße']);
    assert.match(answer.time, /^\d+ ms$/);
    const named = (name: string) =>
      answer.headers.filter((one) => one.name === name).map(({ value }) => value);
    assert.deepEqual(named('Set-Cookie'), ['a=1', 'b=2']);
    assert.deepEqual(answer.notes, []);
  });

  const TEXTS: readonly (readonly [string, string | Buffer, AnswerShown['view'], string])[] = [
    [
      'application/json',
      '{"a":[1,{"b":12345678901234567890}],"c":{}}',
      'json',
      '{\n  "a": [\n    1,\n    {\n      "b": 12345678901234567890\n    }\n  ],\n  "c": {}\n}',
    ],
    ['application/problem+json', '[]', 'json', '[]'],
    ['', '{"a":1}', 'json', '{\n  "a": 1\n}'],
    ['text/plain', '{"a":1}', 'json', '{\n  "a": 1\n}'],
    ['application/json', 'not json', 'text', 'not json'],
    ['text/plain; charset=iso-8859-1', Buffer.from('Grüße', 'latin1'), 'text', 'Grüße'],
    ['text/plain; charset="windows-1252"', Buffer.from([0x80, 0x20, 0x35]), 'text', '€ 5'],
    ['text/csv; charset=utf-16le', Buffer.from('a;ü', 'utf16le'), 'text', 'a;ü'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text', '日本'],
    [
      'text/html',
      Buffer.from('<meta charset="iso-8859-1"><p>ü', 'latin1'),
      'html',
      '<meta charset="iso-8859-1"><p>ü',
    ],
    ['text/html; charset=utf-8', '<p onclick="x()">ü', 'html', '<p onclick="x()">ü'],
    ['application/xml', '<a/>', 'text', '<a/>'],
    ['text/event-stream', 'data: 1\n\n', 'text', 'data: 1\n\n'],
    ['application/x-ndjson', '{"a":1}\n{"a":2}\n', 'text', '{"a":1}\n{"a":2}\n'],
    ['', 'plain words', 'text', 'plain words'],
    ['application/javascript', 'x()', 'text', 'x()'],
  ];
  for (const [type, body, view, text] of TEXTS) {
    it(`of type ${JSON.stringify(type)} is shown as ${view}: ${JSON.stringify(text).slice(0, 40)}`, async () => {
      const answer = await shown(type, body);
      assert.deepEqual([answer.view, answer.text, answer.notes], [view, text, []]);
      assert.equal(answer.bytes, Buffer.byteLength(body));
      assert.equal(answer.isText, true);
    });
  }

  it('with an image or a sound is shown from its own bytes', async () => {
    for (const [type, view] of [
      ['image/png', 'image'],
      ['image/svg+xml', 'image'],
      ['audio/mpeg', 'audio'],
    ] as const) {
      const answer = await shown(type, PNG);
      assert.deepEqual([answer.view, answer.text], [view, '']);
      assert.equal(answer.data, `data:${type};base64,${PNG.toString('base64')}`);
    }
  });

  it('with anything else says that it is not shown, and never as garbage', async () => {
    for (const type of ['application/pdf', 'application/zip', 'video/mp4', '']) {
      const answer = await shown(type, Buffer.concat([PNG, Buffer.from([0, 255, 254])]));
      assert.deepEqual([answer.view, answer.text, answer.data], ['binary', '', ''], type);
      assert.match(answer.notes.join(), /not shown\. Save it/);
    }
  });

  it('without a body says so, and is not an error', async () => {
    const answer = await shown('application/json', '');
    assert.deepEqual([answer.view, answer.bytes, answer.notes], ['none', 0, []]);
  });

  it('that is not in its charset, or names an unknown one, says so', async () => {
    assert.match((await shown('text/plain; charset=utf-8', PNG)).notes.join(), /are not UTF-8/);
    assert.match((await shown('text/plain; charset=klingon', 'x')).notes.join(), /klingon/);
  });

  it('that is long is cut with a word, and is whole in an editor', async () => {
    const body = JSON.stringify({ list: Array.from({ length: 60_000 }, (_, index) => index) });
    const exchange = await received((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    const answer = answerShown(exchange);
    assert.equal(answer.text.length, MAX_SHOWN_TEXT);
    assert.match(answer.notes.join(), /^The first 200000 of \d+ characters are shown/);
    assert.deepEqual(JSON.parse(wholeText(exchange) ?? ''), JSON.parse(body));
    assert.equal(answer.bytes, body.length);
  });

  it('that is larger than what is read keeps its beginning, and says so', async () => {
    const exchange = await received((response) => response.end('x'.repeat(5_000)), {
      maxBytes: 1_000,
    });
    assert.equal(exchange.cut, 'too_large');
    const answer = answerShown(exchange);
    assert.equal(answer.text.length, 1_000);
    assert.match(answer.notes.join(), /larger than 1\.0 kB/);
  });

  it('that breaks off keeps what came, and says so', async () => {
    const exchange = await received((response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    assert.equal(exchange.cut, 'broken');
    assert.equal(answerShown(exchange).text, 'half');
    assert.match(answerShown(exchange).notes.join(), /broke after 4 B/);
  });

  it('that streams is seen as it arrives, and ends by its time limit or a cancellation', async () => {
    const stream: Respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    };
    const seen: string[] = [];
    const limited = await received(stream, {
      timeoutMs: 300,
      onChunk: (_head, chunk) => seen.push(Buffer.from(chunk).toString()),
    });
    assert.equal(limited.cut, 'timeout');
    assert.deepEqual(seen, ['data: 1\n\n']);
    const controller = new AbortController();
    const cancelled = await received(stream, {
      afterHead: controller.signal,
      onChunk: () => controller.abort(),
    });
    assert.equal(cancelled.cut, 'cancelled');
    assert.equal(answerShown(cancelled).text, 'data: 1\n\n');
  });

  it('that never comes is an error, since nothing is known of it', async () => {
    await assert.rejects(
      received(() => {}, { timeoutMs: 200 }),
      /no response in time/,
    );
  });

  it('elsewhere in the extension is refused if it is not whole', async () => {
    respond = (response) => response.end('x'.repeat(5_000));
    await assert.rejects(nodeTransport({ maxBytes: 1_000 })({ method: 'GET', url }), /too large/);
  });
});

describe('JSON', () => {
  it('is formatted without a change of any value', () => {
    const text = '{"a" : "x, {y}: \\"z\\"", "a":1.0e5,\n"b":[ ],"c":[-0,null,true]}';
    assert.equal(
      formatJson(text),
      '{\n  "a": "x, {y}: \\"z\\"",\n  "a": 1.0e5,\n  "b": [],\n  "c": [\n    -0,\n    null,\n    true\n  ]\n}',
    );
    assert.equal(formatJson('{"a":1'), undefined);
    assert.equal(formatJson('"x"'), '"x"');
  });
});
