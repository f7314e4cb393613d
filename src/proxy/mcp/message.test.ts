import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atomicAmount } from '../../protocol/index.ts';
import { type McpConfig, plainTerms } from '../config/config.ts';
import { accessTo } from './access.ts';
import { messageText, readMessage } from './message.ts';
import { canonicalText, membersOf, objectText, problemIn } from './rawJson.ts';

const amount = atomicAmount(100_000n);
assert.ok(amount !== undefined);
const SOLD = plainTerms({ kind: 'fixed', amount });

function config(otherwise: McpConfig['otherwise'] = 'closed'): McpConfig {
  return {
    upstream: { kind: 'http', url: new URL('http://127.0.0.1:9000/mcp') },
    path: '/mcp',
    tools: new Map([
      ['search', SOLD],
      ['help', undefined],
    ]),
    otherwise,
  };
}

function decide(body: string, otherwise?: McpConfig['otherwise']): string {
  const read = readMessage(Buffer.from(body));
  return read.ok ? accessTo(read.message, config(otherwise)).kind : 'unreadable';
}

const call = (params: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}${more}}`;

describe('A message to an MCP server', () => {
  for (const [what, body] of [
    ['a batch', `[${call('{"name":"search"}')}]`],
    [
      'a batch that hides a call',
      `[{"jsonrpc":"2.0","id":1,"method":"ping"},${call('{"name":"search"}')}]`,
    ],
    [
      'two methods',
      '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"search"}}',
    ],
    ['two names', call('{"name":"help","name":"search"}')],
    ['two names, one of them escaped', call('{"name":"help","n\\u0061me":"search"}')],
    ['two names in its arguments', call('{"name":"search","arguments":{"a":1,"a":2}}')],
    ['parameters as a list', call('["search",{}]')],
    ['parameters as text', call('"search"')],
    ['no version', '{"id":1,"method":"tools/call","params":{"name":"search"}}'],
    ['a number as method', '{"jsonrpc":"2.0","id":1,"method":7}'],
    [
      'a method and a result',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"},"result":{}}',
    ],
    [
      'a broken id',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":{"name":"search"}}',
    ],
    [
      'an id with digits that some readers lose',
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
    ],
    [
      'an id of null',
      '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"search"}}',
    ],
    ['a long id', `{"jsonrpc":"2.0","id":"${'x'.repeat(1_001)}","method":"ping"}`],
    [
      'great depth',
      call(`{"name":"search","arguments":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`),
    ],
    ['text after it', `${call('{"name":"search"}')} {}`],
    ['no object', '7'],
    ['no JSON', 'tools/call'],
  ] as const) {
    it(`with ${what} is not read`, () => assert.equal(decide(body, 'free'), 'unreadable'));
  }

  it('in bad UTF-8 is not read', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"p'),
      Buffer.of(0xff),
    ]);
    assert.equal(readMessage(bytes).ok, false);
  });

  it('is passed on with its numbers unchanged', () => {
    const text = call('{"name":"search","arguments":{"id":12345678901234567890, "x":1.50}}');
    const read = readMessage(Buffer.from(text));
    assert.ok(read.ok && read.message.kind === 'request');
    const { method, params } = read.message;
    assert.equal(
      messageText(method, params, 'a'),
      '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"search","arguments":{"id":12345678901234567890, "x":1.50}}}',
    );
  });

  it('loses members that JSON-RPC does not know', () => {
    const read = readMessage(
      Buffer.from(
        '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","Params":{"name":"search"}}',
      ),
    );
    assert.ok(read.ok && read.message.kind === 'request');
    assert.equal(
      messageText(read.message.method, read.message.params, 2),
      '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    );
  });
});

describe('What is called', () => {
  for (const [body, expected] of [
    [call('{"name":"search"}'), 'sold'],
    [call('{"name":"search","arguments":{}}', ',"extra":1'), 'sold'],
    [call('{"name":"\\u0073earch"}'), 'sold'],
    [call('{"name":"help"}'), 'free'],
    [call('{"name":"other"}'), 'refused'],
    [call('{}'), 'refused'],
    [call('{"name":""}'), 'refused'],
    [call('{"name":["search"]}'), 'refused'],
    [call('{"name":"search","arguments":[1]}'), 'refused'],
    [call('{"name":"search","_meta":[]}'), 'refused'],
    [call('{"name":"search","task":{}}'), 'refused'],
    ['{"jsonrpc":"2.0","method":"tools/call","params":{"name":"search"}}', 'refused'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 'refused'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 'free'],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 'free'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'free'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'free'],
  ] as const) {
    it(`${body} is ${expected}`, () => assert.equal(decide(body), expected));
  }

  for (const name of [
    'Search',
    'SEARCH',
    'search ',
    ' search',
    'se\\u200barch',
    'ſearch',
    'ｓearch',
    'search\\u0000',
    'sea-rch',
    '/search',
    'HELP',
    'search\\n',
  ]) {
    it(`the name ${JSON.stringify(name)} is refused where other tools are free`, () => {
      assert.equal(decide(call(`{"name":"${name}"}`), 'free'), 'refused');
    });
  }
  for (const member of ['Name', 'NAME', 'na\\u200bme', 'Arguments', 'argumentſ', '_Meta', 'Task']) {
    it(`the member ${JSON.stringify(member)} beside a free name is refused`, () => {
      assert.equal(decide(call(`{"name":"help","${member}":"search"}`), 'free'), 'refused');
    });
  }
  for (const method of [
    'Tools/Call',
    'TOOLS/CALL',
    'tools/call ',
    ' tools/call',
    'tools/call\\u0000',
    'tools//call',
    '/tools/call',
    'tools.call',
    'tools/call/',
    'tools/invoke',
    'tools',
    'tool/call',
    'ｔools/call',
    'tools_call',
    'toolſ/call',
  ]) {
    it(`the method ${JSON.stringify(method)} is refused`, () => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":"search"}}`;
      assert.equal(decide(body, 'free'), 'refused');
    });
  }

  it('other tools are free, or have a price, if the configuration says so', () => {
    assert.equal(decide(call('{"name":"other"}'), 'free'), 'free');
    assert.equal(decide(call('{"name":"other"}'), SOLD), 'sold');
    assert.equal(decide(call('{"name":"constructor"}'), SOLD), 'sold');
    assert.equal(decide(call('{"name":"__proto__"}')), 'refused');
  });

  it('a payment does not go to the server, nor what a client says about one', () => {
    const payments =
      '"x402/payment":{"a":1},"org.paymentauth/credential":{"b":1},"svc-x402/payment":{"payer":"G"}';
    for (const [name, kind] of [
      ['search', 'sold'],
      ['help', 'free'],
    ] as const) {
      const read = readMessage(
        Buffer.from(
          call(`{"name":"${name}","_meta":{${payments},"x":1}}`, `,"_meta":{${payments}}`),
        ),
      );
      assert.ok(read.ok);
      const access = accessTo(read.message, config());
      assert.ok(access.kind === kind);
      const forwarded =
        access.kind === 'sold' ? { ...access.request, ...access.call } : access.message;
      assert.ok('params' in forwarded && 'method' in forwarded);
      assert.equal(
        messageText(forwarded.method, forwarded.params, 1),
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","_meta":{"x":1}}}`,
      );
      if (access.kind !== 'sold') continue;
      assert.deepEqual([access.call.payment, access.call.credential], ['{"a":1}', '{"b":1}']);
    }
  });

  const credential = (text: string) => `"_meta":{"org.paymentauth/credential":${text}}`;
  for (const [inParams, inRoot, expected] of [
    ['', credential('{"b":1}'), '{"b":1}'],
    [credential('{"b":1}'), '', '{"b":1}'],
    [credential('{"b":1,"a":2}'), credential('{ "a":2, "b":1 }'), '{"b":1,"a":2}'],
    [credential('{"b":1}'), credential('{"b":2}'), undefined],
    ['', '"_meta":[]', 'none'],
    ['', '"_meta":{"x402/payment":{"b":1}}', 'none'],
  ] as const) {
    it(`params with ${inParams || 'nothing'} and a message with ${inRoot || 'nothing'} carry ${expected ?? 'two credentials, which is refused'}`, () => {
      const read = readMessage(
        Buffer.from(call(`{"name":"search"${inParams && `,${inParams}`}}`, inRoot && `,${inRoot}`)),
      );
      assert.ok(read.ok);
      const access = accessTo(read.message, config());
      const carried = access.kind === 'sold' ? (access.call.credential ?? 'none') : undefined;
      assert.equal(carried, expected);
    });
  }
});

describe('JSON that is passed on', () => {
  it('is taken apart and put together without a change', () => {
    const text = '{ "a" : [1, {"b":"}"}] , "\\"" : "x\\\\" }';
    const members = membersOf(text);
    assert.deepEqual(
      [...(members ?? [])],
      [
        ['a', '[1, {"b":"}"}]'],
        ['"', '"x\\\\"'],
      ],
    );
    assert.deepEqual(JSON.parse(objectText(members ?? new Map())), JSON.parse(text));
  });
  it('has one text for equal values', () => {
    assert.equal(
      canonicalText('{"b":[ {"y":1,"x":"\\u0061"} ],"a":1}'),
      canonicalText('{ "a":1, "b":[{"x":"a","y":1}]}'),
    );
  });
  it('may have equal names in different objects', () => {
    assert.equal(problemIn('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'), undefined);
    assert.equal(problemIn('{"a":"\\"a\\":","b":1}'), undefined);
    assert.equal(problemIn('[{"a":1,"b":{"c":1,"c":2}}]'), 'duplicate_name');
  });
});
