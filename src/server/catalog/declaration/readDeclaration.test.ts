import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Declared, readDeclaration } from './readDeclaration.ts';

const URL_PAID = 'https://api.seller.dev/weather/Lima?units=metric';

/** A declaration as `declareDiscoveryExtension` and its enrichment create it. */
function declared(
  parts: {
    resource?: Record<string, unknown> | string | null;
    bazaar?: Record<string, unknown>;
    input?: Record<string, unknown>;
    schema?: unknown;
    output?: unknown;
    extensions?: Record<string, unknown>;
  } = {},
): Declared {
  const input = parts.input ?? { type: 'http', method: 'GET', queryParams: { units: 'metric' } };
  return {
    resource:
      typeof parts.resource === 'object' && parts.resource !== null
        ? { url: URL_PAID, ...parts.resource }
        : (parts.resource ?? { url: URL_PAID }),
    extensions: {
      bazaar: {
        info: { input, ...(parts.output === undefined ? {} : { output: parts.output }) },
        schema: parts.schema ?? {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { input: { type: 'object', required: ['type'] } },
          required: ['input'],
        },
        ...parts.bazaar,
      },
      ...parts.extensions,
    },
  };
}

async function listed(parts: Parameters<typeof declared>[0] = {}) {
  const read = await readDeclaration(declared(parts));
  assert.ok(read.ok, read.ok ? '' : read.detail);
  return read.listing;
}
async function refused(from: Declared): Promise<string> {
  const read = await readDeclaration(from);
  return read.ok ? `listed as ${read.listing.resource}` : `${read.reason}/${read.rule}`;
}
const withResource = (resource: Record<string, unknown>) => listed({ resource });
const repeated = (text: string, times: number): string => text.repeat(times);

describe('[spec: Catalog reasons/no_discovery_extension] [spec: paymentPayload/extensions] without the echo nothing is listed', () => {
  it('no extensions, none of them bazaar, or null instead of it', async () => {
    const resource = { url: URL_PAID };
    for (const extensions of [undefined, null, {}, { other: {} }, { bazaar: null }, [], 'bazaar']) {
      assert.equal(await refused({ resource, extensions }), 'no_discovery_extension/extension');
    }
  });
});

describe('[spec: Discovery extension declaration/Declaration] a declaration becomes a listing', () => {
  it("under the canonical URL, with the seller's texts", async () => {
    const { extensions, ...listing } = await withResource({
      description: 'Weather by city',
      mimeType: 'application/json',
      serviceName: 'Demo Weather',
      tags: ['weather', 'demo'],
      iconUrl: 'https://seller.dev/icon.png',
    });
    assert.deepEqual(listing, {
      key: 'https://api.seller.dev/weather/Lima',
      resource: 'https://api.seller.dev/weather/Lima',
      origin: 'https://api.seller.dev',
      type: 'http',
      templated: false,
      method: 'GET',
      description: 'Weather by city',
      mimeType: 'application/json',
      serviceName: 'Demo Weather',
      tags: ['weather', 'demo'],
      iconUrl: 'https://seller.dev/icon.png',
    });
    assert.deepEqual(Object.keys(extensions), ['bazaar']);
  });

  it("an MCP tool under its server's URL and its own name", async () => {
    const input = {
      type: 'mcp',
      toolName: 'get_weather',
      inputSchema: { type: 'object' },
      description: 'By city',
    };
    const { extensions: _, ...tool } = await listed({
      input,
      resource: { url: 'https://mcp.seller.dev/mcp/' },
    });
    assert.deepEqual(tool, {
      key: 'https://mcp.seller.dev/mcp#get_weather',
      resource: 'https://mcp.seller.dev/mcp',
      origin: 'https://mcp.seller.dev',
      type: 'mcp',
      templated: false,
      toolName: 'get_weather',
      description: 'By city',
      tags: [],
    });
    assert.equal(
      (await listed({ input, resource: { url: 'mcp://tool/get_weather' } })).key,
      'mcp://tool/get_weather#get_weather',
    );
  });

  it('other extensions of the challenge are kept as well', async () => {
    const { extensions } = await listed({ extensions: { 'sign-in-with-x': { info: {} } } });
    assert.deepEqual(Object.keys(extensions).sort(), ['bazaar', 'sign-in-with-x']);
  });
});

describe('attackers can influence listing metadata', () => {
  it('[spec: Discovery extension declaration/serviceName] [spec: Limits/serviceName] serviceName: printable ASCII, at most 64 characters; any other is dropped, not transliterated', async () => {
    const kept = ['A', 'Demo Weather', repeated('x', 64), '<b>&"\'', '$(rm)'];
    for (const serviceName of kept)
      assert.equal((await withResource({ serviceName })).serviceName, serviceName);
    const dropped = [
      '',
      '   ',
      repeated('x', 65),
      'Café',
      'Wеather',
      'a\u0000',
      'a\n',
      'a\u007f',
      'a\u202eb',
      '☀',
      'USDC',
      'Pay U5DC',
      'GBBD...FLA5',
      7,
      null,
      {},
    ];
    for (const serviceName of dropped) {
      assert.equal(
        'serviceName' in (await withResource({ serviceName })),
        false,
        JSON.stringify(serviceName),
      );
    }
  });

  it('[spec: Discovery extension declaration/description] [spec: Limits/description] description: one line, truncated to 256 characters, no character cut in two', async () => {
    const of = async (description: unknown) => (await withResource({ description })).description;
    assert.equal(await of(repeated('x', 256)), repeated('x', 256));
    assert.equal(await of(repeated('x', 257)), repeated('x', 256));
    assert.equal(await of(repeated('🌦', 300)), repeated('🌦', 256));
    assert.equal(await of(repeated('x', 100_000)), repeated('x', 256));
    assert.equal(await of('  sun\n\nand\train\u202e \u0000 '), 'sun and rain');
    assert.equal(await of('a\ud800b'), 'ab');
    for (const empty of ['', ' \n', '\u200b', 7, null]) assert.equal(await of(empty), undefined);
  });

  it('[spec: Discovery extension declaration/tags] tags: the same rule as serviceName, each once, at most ten', async () => {
    const of = async (tags: unknown) => (await withResource({ tags })).tags;
    assert.deepEqual(
      await of(['weather', 'météo', repeated('x', 65), '', 'Weather', 7, null, 'rain']),
      ['weather', 'rain'],
    );
    assert.equal((await of(Array.from({ length: 500 }, (_, n) => `t${n}`)))?.length, 10);
    for (const none of ['weather', null, {}, 7]) assert.deepEqual(await of(none), []);
  });

  it('mimeType and iconUrl: only valid values', async () => {
    for (const mimeType of ['text', 'a/b/c', 'text/html\n', repeated('x', 200), '<x>/y']) {
      assert.equal('mimeType' in (await withResource({ mimeType })), false, mimeType);
    }
    const icons = [
      'http://seller.dev/i.png',
      'javascript:alert(1)',
      'data:image/png;base64,x',
      'https://u@seller.dev/i',
      'https://127.0.0.1/i',
      'https://[::1]/i',
      'https://localhost/i',
      'https://a\u0000b.dev/',
      repeated('https://a.dev/', 200),
    ];
    for (const iconUrl of icons)
      assert.equal('iconUrl' in (await withResource({ iconUrl })), false, iconUrl);
  });

  it('invisible characters are removed from every text, also inside examples', async () => {
    const output = { type: 'json', example: { text: 'a\u202e\u0000b\n\tc', ['k\u200bey']: 1 } };
    const text = JSON.stringify((await listed({ output })).extensions);
    assert.ok(text.includes('"text":"ab\\n\\tc","key":1'), text);
  });

  it('names that reach a prototype are removed', async () => {
    const example = JSON.parse(
      '{"__proto__":{"x":1},"constructor":{"prototype":1},"a":1}',
    ) as unknown;
    const text = JSON.stringify((await listed({ output: { type: 'json', example } })).extensions);
    assert.doesNotMatch(text, /__proto__|constructor|prototype/);
  });
});

describe('[spec: Discovery extension declaration/routeTemplate] a template names a route of the seller', () => {
  const route = async (routeTemplate: unknown, url = URL_PAID) => {
    const read = await readDeclaration(declared({ bazaar: { routeTemplate }, resource: { url } }));
    return read.ok ? read.listing.resource : `${read.reason}/${read.rule}`;
  };

  it('a template that covers the URL names the entry, which is then never fetched', async () => {
    for (const template of [
      '/weather/:city',
      '/weather/{city}',
      '/weather/[city]',
      '/Weather/:city/',
    ]) {
      assert.match(await route(template), /^https:\/\/api\.seller\.dev\/[Ww]eather\/:city$/);
    }
    const listing = await listed({ bazaar: { routeTemplate: '/weather/:city' } });
    assert.equal(listing.templated, true);
    assert.equal(listing.key, 'https://api.seller.dev/weather/:');
  });

  it('one that is merely not a route falls back to the concrete path: the form that @x402/next sends, wildcards, other paths', async () => {
    const concrete = 'https://api.seller.dev/weather/Lima';
    for (const template of [
      ':var1',
      '',
      null,
      undefined,
      '/',
      '/weather',
      '/weather/*',
      '/weather/Lima',
      '/news/:id',
      '/weather/:city/:day',
      '/:a',
      'weather/:city',
      '/weather/:city!',
    ]) {
      assert.equal(await route(template), concrete, String(template));
    }
    const { extensions } = await listed({ bazaar: { routeTemplate: ':var1' } });
    assert.equal(JSON.stringify(extensions).includes('routeTemplate'), false);
  });

  it('[spec: Catalog reasons/schema_validation_failed] hostile ones are refused with schema_validation_failed', async () => {
    const hostile = [
      '/../admin',
      '/weather/..',
      '/%2e%2e/x',
      '/%252e%252e/x',
      '/a/..%2f:x',
      'https://evil.dev/:x',
      '/https://evil.dev',
      '//evil.dev/:x',
      '/%2f%2fevil.dev',
      '/a\\b',
      '/a%5cb/:x',
      '/a?x=:y',
      '/a#:x',
      '/u@evil.dev/:x',
      '/<script>',
      '/a b/:x',
      '/a%00/:x',
      '/a\n:x',
      '/a%zz',
      '/\u202e:x',
      `/${repeated('a', 600)}`,
      7,
      {},
      ['/:x'],
    ];
    for (const template of hostile) {
      assert.equal(
        await route(template),
        'schema_validation_failed/route_template',
        String(template),
      );
    }
  });
});

describe('[spec: Catalog reasons/schema_validation_failed] declarations that cannot be listed', () => {
  const FAILS = 'schema_validation_failed';
  it('a URL that does not name a resource', async () => {
    assert.equal(await refused({ ...declared(), resource: undefined }), `${FAILS}/resource`);
    for (const url of ['', 7, 'ftp://x', 'javascript:1', 'https://a\u0000b/']) {
      assert.equal(await refused(declared({ resource: { url } })), `${FAILS}/resource`);
    }
  });

  it('a form that the extension does not define', async () => {
    const inputs: Record<string, unknown>[] = [
      {},
      { type: 'ftp' },
      { type: 'http', method: 'TRACE' },
      { type: 'http', method: 'GET', bodyType: 'json' },
      { type: 'http', method: 'POST', bodyType: 'xml' },
      { type: 'mcp', toolName: 'x' },
      { type: 'mcp', toolName: 'x', inputSchema: {}, transport: 'stdio' },
    ];
    for (const input of inputs)
      assert.equal(await refused(declared({ input })), `${FAILS}/info`, JSON.stringify(input));
    for (const bazaar of [7, 'x', [], true]) {
      assert.equal(
        await refused({ resource: { url: URL_PAID }, extensions: { bazaar } }),
        `${FAILS}/extension`,
      );
    }
    const tool = { type: 'http', method: 'GET' };
    assert.equal(
      await refused(declared({ input: tool, resource: { url: 'mcp://tool/x' } })),
      `${FAILS}/resource`,
    );
  });

  it('an example that its own schema refuses: an array where the helper says object', async () => {
    const schema = {
      type: 'object',
      properties: { output: { type: 'object', properties: { example: { type: 'object' } } } },
    };
    assert.equal(
      await refused(declared({ schema, output: { type: 'json', example: [1] } })),
      `${FAILS}/schema`,
    );
    assert.equal(
      (await listed({ schema, output: { type: 'json', example: { a: 1 } } })).type,
      'http',
    );
  });

  it('no schema, or one that cannot be used', async () => {
    const unusable: unknown[] = [
      7,
      'x',
      [],
      { type: 'nonsense' },
      { type: 'object', required: 'x' },
      { pattern: '(', properties: { input: { properties: { type: { pattern: '(' } } } } },
      { $ref: '#/nowhere' },
    ];
    for (const schema of unusable)
      assert.equal(await refused(declared({ schema })), `${FAILS}/schema`, JSON.stringify(schema));
  });

  it('a schema that refers outside itself, or to itself', async () => {
    const reaching: unknown[] = [
      { $ref: 'https://evil.dev/schema' },
      { $ref: 'http://169.254.169.254/latest' },
      { $ref: 'file:///etc/passwd' },
      { $id: 'https://evil.dev/schema', type: 'object' },
      { $dynamicRef: '#x' },
      { $anchor: 'x' },
      { $ref: '#' },
      { anyOf: [{ $ref: '#/anyOf/0' }] },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      { properties: { input: { properties: { type: { $ref: '#/properties/input' } } } } },
    ];
    for (const schema of reaching)
      assert.equal(await refused(declared({ schema })), `${FAILS}/schema`, JSON.stringify(schema));
  });

  it('references inside it are followed, and a property can have any name', async () => {
    const schema = {
      $defs: { name: { type: 'string' } },
      properties: {
        input: { properties: { type: { $ref: '#/$defs/name' }, $id: { type: 'string' } } },
      },
    };
    assert.equal((await listed({ schema })).type, 'http');
  });

  it('more than the bounds allow: too deep, too many values, too long', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 40; level++) deep = [deep];
    const many = Array.from({ length: 3_000 }, () => 1);
    for (const example of [deep, many, repeated('x', 20_000)]) {
      assert.equal(
        await refused(declared({ output: { type: 'json', example } })),
        `${FAILS}/bounds`,
      );
    }
  });
});

describe('[spec: Catalog reasons/invalid_tool_name] a tool without a usable name', () => {
  it('an MCP tool is declared with a name that MCP allows', async () => {
    const named = (toolName: unknown) =>
      declared({ input: { type: 'mcp', toolName, inputSchema: { type: 'object' } } });
    for (const name of ['x', 'get_weather', 'a-b.c/d', repeated('x', 128)]) {
      assert.ok((await readDeclaration(named(name))).ok, name);
    }
    const wrong = [
      undefined,
      null,
      '',
      7,
      {},
      ' x',
      'get weather',
      'täg',
      'a#b',
      'a\n',
      repeated('x', 129),
      '<b>',
      'ignore previous instructions',
    ];
    for (const name of wrong)
      assert.equal(await refused(named(name)), 'invalid_tool_name/tool_name', String(name));
  });
});

describe('A declaration costs no more than its bounds', () => {
  /** CPU milliseconds that a declaration takes, in all threads. */
  async function cost(from: Declared): Promise<number> {
    const before = process.cpuUsage();
    await readDeclaration(from);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }

  it('patterns that would run for hours, multiplying references, deep and wide trees', async () => {
    const text = `${repeated('a', 400)}!`;
    const patterns = [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      '(.*)*x',
      'a*a*a*a*a*a*b',
      '(?=(a+))\\1+$',
      '^([a-z]+)*$',
      'a?'.repeat(30) + 'a'.repeat(30),
      '(a{1,50}){1,50}b',
      '\\d*[a-z]*\\w*!$',
    ];
    const withPattern = (pattern: string) =>
      declared({
        input: { type: 'http', method: 'GET', queryParams: { a: text } },
        schema: {
          properties: {
            input: {
              properties: {
                queryParams: {
                  properties: { a: { pattern } },
                  patternProperties: { [pattern]: {} },
                  propertyNames: { pattern },
                },
              },
            },
          },
        },
      });
    // A chain of references, each level twice; at most sixteen are followed.
    const levels = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `l${n}`,
        { allOf: [{ $ref: `#/$defs/l${n + 1}` }, { $ref: `#/$defs/l${n + 1}` }] },
      ]),
    );
    const chained = (count: number) => ({
      $defs: {
        ...Object.fromEntries(Object.entries(levels).slice(0, count)),
        [`l${count}`]: { type: 'object' },
      },
      $ref: '#/$defs/l0',
    });
    const unique = { properties: { output: { properties: { example: { uniqueItems: true } } } } };
    const objects = Array.from({ length: 900 }, (_, n) => ({ n }));
    const hostile: Declared[] = [
      ...patterns.map(withPattern),
      declared({ schema: chained(7) }),
      declared({ schema: chained(40) }),
      declared({ schema: unique, output: { type: 'json', example: objects } }),
    ];
    await readDeclaration(declared({ schema: { type: 'object', title: 'warm' } }));
    for (const [at, from] of hostile.entries()) {
      const ms = await cost(from);
      // Ten times what the dearest takes on an idle machine; without limits they take hours.
      assert.ok(ms < 2_000, `${at}: ${ms} ms of CPU`);
    }
  });

  /** Fifteen references to one object with many branches, each evaluating what the others left unevaluated. */
  const manyBranches = (branches: number) => ({
    $defs: {
      d: {
        allOf: Array.from({ length: branches }, (_, n) => ({ properties: { [`p${n}`]: true } })),
        unevaluatedProperties: false,
      },
    },
    allOf: Array.from({ length: 15 }, () => ({ $ref: '#/$defs/d' })),
    unevaluatedProperties: false,
  });

  it('15 references to an allOf of 440 branches with unevaluatedProperties cost nobody seconds', async () => {
    const before = process.cpuUsage();
    const read = await refused(declared({ schema: manyBranches(440) }));
    const { user, system } = process.cpuUsage(before);
    assert.equal(read, 'schema_validation_failed/schema');
    // About 30 ms on an idle machine.
    assert.ok(user + system < 1_000_000, `${user + system} µs of CPU`);
  });

  /** A schema that takes a few milliseconds and has not been judged before. */
  const enums = Array.from({ length: 600 }, (_, n) => `${n}`);
  const unknown = (name: string) =>
    declared({
      schema: { title: name, properties: { input: { anyOf: [{ enum: enums }, {}] } } },
    });
  /** One that uses its whole budget. */
  const costly = (name: string) => {
    // As much work as the bounds allow, several times the budget on a fast machine too: it grows with the square of the items.
    const branch = { uniqueItems: true };
    const example = Array.from({ length: 600 }, (_, n) => [n]);
    return declared({
      schema: {
        title: name,
        properties: {
          output: { properties: { example: { allOf: Array(300).fill(branch) } } },
        },
      },
      output: { type: 'json', example },
    });
  };

  it('a settlement does not wait for schemas that strangers validate', async () => {
    await readDeclaration(unknown('the thread is loaded'), 'settlement');
    const ended: string[] = [];
    const strangers = Array.from({ length: 5 }, (_, n) =>
      readDeclaration(costly(`stranger ${n}`)).then(() => ended.push('stranger')),
    );
    const settled = readDeclaration(unknown('settlement'), 'settlement').then(() =>
      ended.push('settlement'),
    );
    await Promise.all([...strangers, settled]);
    assert.equal(ended[0], 'settlement');
  });

  it('settlements wait a quarter of a second for each other; the rest are listed the next time', {
    timeout: 60_000,
  }, async () => {
    await readDeclaration(unknown('the thread is loaded'), 'settlement');
    const before = Array.from({ length: 5 }, (_, n) =>
      readDeclaration(costly(`sale ${n}`), 'settlement'),
    );
    const crowded = unknown('the last in line');
    const read = await readDeclaration(crowded, 'settlement');
    assert.ok(!read.ok && /settle again later/.test(read.detail), JSON.stringify(read));
    const [first] = await Promise.all(before);
    assert.ok(first && !first.ok && first.rule === 'schema_cost', JSON.stringify(first));
    // As soon as a new thread has loaded in place of the abandoned one.
    while (!(await readDeclaration(crowded, 'settlement')).ok);
  });

  it('a schema within the bounds that still costs too much is abandoned, and the serving thread continues', async () => {
    let turns = 0;
    const pulse = setInterval(() => {
      turns += 1;
    }, 5);
    // Each example of 400 items is tried by each of 300 branches, whose own check is quadratic.
    const branch = { uniqueItems: true, contains: { minItems: 1 } };
    const schema = {
      properties: {
        output: {
          properties: { example: { allOf: Array.from({ length: 300 }, () => branch) } },
        },
      },
    };
    const example = Array.from({ length: 400 }, (_, n) => [n, { n }]);
    const startedAt = performance.now();
    const read = await refused(declared({ schema, output: { type: 'json', example } }));
    const ms = performance.now() - startedAt;
    clearInterval(pulse);
    assert.match(read, /schema_validation_failed\/(schema_cost|bounds)/);
    // A thread that is held up all the time has one turn at most.
    assert.ok(turns >= 5 || ms < 100, `${turns} turns in ${ms} ms`);
  });

  it('any input is answered, never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.jsonValue(),
        async (resource, info, schema) => {
          await readDeclaration({ resource, extensions: { bazaar: { info, schema } } });
          await readDeclaration({
            resource: { url: URL_PAID },
            extensions: { bazaar: { info: { input: info }, schema } },
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
