import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { configJsonSchema, readConfig } from './readConfig.ts';

const PAY_TO = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const HEAD = `upstream: http://127.0.0.1:3000\npayTo: ${PAY_TO}\n`;

/** The problems of a file, as `line:column message`. */
function problems(text: string): string[] {
  const read = readConfig(text);
  return read.ok
    ? []
    : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('The configuration of a proxy', () => {
  it('has routes with prices, free ones, and a rule for the others', () => {
    const read = readConfig(`${HEAD}routes:
  GET /weather/{city}: 0.01
  POST /quote: { price: 0.05 USDC, settle: before, description: A quote }
  POST /batch: { price: 0.0000001, per: body.items.length, max: 2 }
  GET /asked: { ask: /price }
  GET /health: free
otherwise: 0.5
`);
    assert.ok(read.ok);
    const { routes, otherwise } = read.config;
    assert.deepEqual(
      routes.map(({ text, about }) => [text, about?.price]),
      [
        ['GET /weather/{city}', { kind: 'fixed', amount: 100_000n }],
        ['POST /quote', { kind: 'fixed', amount: 500_000n }],
        ['POST /batch', { kind: 'per', of: 'body.items.length', amount: 1n, max: 20_000_000n }],
        ['GET /asked', { kind: 'ask', path: '/price', max: 10_000_000n }],
        ['GET /health', undefined],
      ],
    );
    assert.equal(routes[1]?.about?.settle, 'before');
    assert.ok(typeof otherwise === 'object');
    assert.deepEqual(otherwise.price, { kind: 'fixed', amount: 5_000_000n });
  });

  it('closes what no route names, unless it says otherwise', () => {
    const read = readConfig(HEAD);
    assert.ok(read.ok);
    assert.equal(read.config.otherwise, 'closed');
  });

  it('is checked whole: every problem at once, with its line and column', () => {
    const found = problems(`upstream: htp://x
payTo: GABC
routes:
  GET weather: 0.01
  GET /b: -1
  POST /c: { price: 0.01, setle: before }
  HEAD /d: 1
  GET /e/{x}: 1
  GET /e/{y}: 2
  GET /f: { price: 1, max: 2 }
  GET /g: { per: body.n, max: 2 }
  GET /h: { price: 1, allow: [control-character] }
  GET /i: { price: 0 }
otherwise: opn
more: 1
`);
    assert.deepEqual(
      found.map((each) => each.split(' ')[0]),
      [
        '1:11',
        '2:8',
        '4:3',
        '5:11',
        '6:27',
        '7:3',
        '9:3',
        '10:23',
        '11:11',
        '12:31',
        '13:20',
        '14:12',
        '15:1',
      ],
    );
  });

  for (const [name, text, first] of [
    ['nothing', '', '1:1 upstream is missing.'],
    ['a list', '- 1\n', undefined],
    ['broken YAML', 'a: [1\nb: 2', undefined],
    ['one key twice', `${HEAD}payTo: ${PAY_TO}\n`, undefined],
    ['an alias', `${HEAD}routes:\n  GET /a: &x 0.01\n  GET /b: *x\n`, undefined],
  ] as const) {
    it(`is not ${name}`, () => {
      const found = problems(text);
      assert.ok(found.length > 0);
      if (first) assert.equal(found[0], first);
    });
  }

  describe('of an MCP server', () => {
    const mcp = (lines: string) => readConfig(`payTo: ${PAY_TO}\nmcp:\n${lines}`);

    it('has tools with prices, free ones, and a rule for the others', () => {
      const read = mcp(`  http: http://127.0.0.1:9000/tools/
  tools:
    search: 0.01
    draw: { price: 0.05, settle: before, description: Draws }
    help: free
  otherwise: 0.02
`);
      assert.ok(read.ok && read.config.mcp);
      const { upstream, path, tools, otherwise } = read.config.mcp;
      assert.equal(upstream.kind === 'http' && upstream.url.pathname, '/tools/');
      assert.equal(path, '/tools');
      assert.deepEqual(
        [...tools].map(([name, terms]) => [name, terms?.price, terms?.settle]),
        [
          ['search', { kind: 'fixed', amount: 100_000n }, 'after'],
          ['draw', { kind: 'fixed', amount: 500_000n }, 'before'],
          ['help', undefined, undefined],
        ],
      );
      assert.ok(typeof otherwise === 'object');
      assert.equal(read.config.otherwise, 'closed');
    });

    it('is a command, for the shell or not, at /mcp', () => {
      const read = mcp('  command: python server.py\n  otherwise: free\n');
      assert.ok(read.ok && read.config.mcp);
      assert.deepEqual(read.config.mcp.upstream, { kind: 'stdio', command: 'python server.py' });
      assert.equal(read.config.mcp.path, '/mcp');
      assert.equal(read.config.upstream, undefined);
      const list = mcp('  command: [python, server.py]\n  path: /tools\n  otherwise: free\n');
      assert.ok(list.ok && list.config.mcp);
      assert.equal(list.config.mcp.path, '/tools');
    });

    for (const [what, text, place] of [
      ['an API too', `${HEAD}mcp: { http: http://x/mcp, otherwise: 1 }\n`, '1:1'],
      [
        'routes',
        `payTo: ${PAY_TO}\nroutes: { GET /a: 1 }\nmcp: { http: http://x/mcp, otherwise: 1 }\n`,
        '2:1',
      ],
      [
        'two servers',
        `payTo: ${PAY_TO}\nmcp: { http: http://x/mcp, command: x, otherwise: 1 }\n`,
        '2:6',
      ],
      ['no server', `payTo: ${PAY_TO}\nmcp: { otherwise: 1 }\n`, '2:6'],
      ['nothing to sell', `payTo: ${PAY_TO}\nmcp: { http: http://x/mcp }\n`, '2:6'],
      [
        'a negative price',
        `payTo: ${PAY_TO}\nmcp: { http: http://x/mcp, tools: { a: -1 } }\n`,
        '2:40',
      ],
      [
        'a price that is counted',
        `payTo: ${PAY_TO}\nmcp: { http: http://x/mcp, tools: { a: { price: 1, per: body.n } } }\n`,
        '2:52',
      ],
      ['a broken address', `payTo: ${PAY_TO}\nmcp: { http: x, otherwise: 1 }\n`, '2:14'],
      [
        'a misspelled member',
        `payTo: ${PAY_TO}\nmcp: { http: http://x/mcp, tool: { a: 1 }, otherwise: 1 }\n`,
        '2:28',
      ],
    ] as const) {
      it(`is refused with ${what}`, () => {
        const [first = ''] = problems(text);
        assert.equal(first.split(' ')[0], place, first);
      });
    }
  });

  describe('has a JSON Schema, for editors', () => {
    const validate = new Ajv({ strict: false }).compile(configJsonSchema());
    const isValid = (text: string): boolean => validate(parse(text));

    it('that describes each member', () => {
      const { properties } = configJsonSchema() as {
        readonly properties: Readonly<Record<string, { readonly description?: string }>>;
      };
      const bare = Object.entries(properties).filter(([, { description }]) => !description);
      assert.deepEqual(
        bare.map(([name]) => name),
        [],
      );
    });

    it('that accepts the example of the page', () => {
      const page = readFileSync(new URL('../../../docs/proxy.md', import.meta.url), 'utf8');
      const [, example = ''] = /```yaml\n(upstream:[\s\S]*?)```/.exec(page) ?? [];
      assert.ok(readConfig(example).ok);
      assert.ok(isValid(example), JSON.stringify(validate.errors));
    });

    for (const line of [
      'prices: 1',
      'trustedHops: -1',
      'otherwise: open',
      'limits: { holdMs: long }',
      'routes: { weather: 0.01 }',
      'routes: { GET /a: { price: 0.01, settle: later } }',
      'routes: { GET /a: { price: 0.01, allow: [dot-segment] } }',
      'routes: { GET /a: { price: 0.01, per: count } }',
      'routes: { GET /a: true }',
    ]) {
      it(`that refuses what is refused when it is read: ${line}`, () => {
        const text = `${HEAD}${line}\n`;
        assert.ok(!readConfig(text).ok);
        assert.ok(!isValid(text));
      });
    }
  });
});
