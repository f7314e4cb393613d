import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasHiddenCharacter } from '../../common/visibleText.ts';
import { parseResource } from './resourceKey.ts';

function read(text: string) {
  const parsed = parseResource(text);
  assert.ok(parsed.ok, `${text}: ${parsed.ok ? '' : parsed.problem}`);
  return parsed.resource;
}
const keyOf = (text: string): string => read(text).key;
function problemOf(text: string): string {
  const parsed = parseResource(text);
  return parsed.ok ? `the key ${parsed.resource.key}` : parsed.problem;
}

describe('[spec: Catalog entry/resource] one resource has one key, whatever a payer writes', () => {
  const SAME: Readonly<Record<string, readonly string[]>> = {
    'https://api.example.com/quote': [
      'https://api.example.com/quote/',
      'HTTPS://API.Example.COM/quote',
      'https://api.example.com:443/quote',
      'https://api.example.com:0443/quote',
      'https://api.example.com./quote',
      '  https://api.example.com/quote\n',
      '\thttps://api.example.com/quote\t',
      'https://api.example.com//quote//',
      'https://api.example.com/./quote',
      'https://api.example.com/a/../quote',
      'https://api.example.com/a/%2e%2e/quote',
      'https://api.example.com/a/%2E./quote/.',
      'https://api.example.com\\quote',
      'https:api.example.com/quote',
      'https:///api.example.com/quote',
      'https://api.example.com/%71uote',
      'https://api.example.com/quot%65',
      'https://api.example.com/quote?city=Lima',
      'https://api.example.com/quote?',
      'https://api.example.com/quote#top',
      'https://api.example.com/quote?a=1#b?c',
      'https://user@api.example.com/quote',
      'https://user:pass@api.example.com/quote',
      'https://other.example@api.example.com/quote',
      'https://api.exa%6Dple.com/quote',
      'https://ａｐｉ.example.com/quote',
      'https://api。example。com/quote',
    ],
    'https://example.com': [
      'https://example.com/',
      'https://example.com//',
      'https://example.com/?q',
    ],
    'http://example.com/a': ['http://example.com:80/a', 'http://example.com/a/'],
    'https://xn--bcher-kva.example/x': ['https://bücher.example/x', 'https://BÜCHER.example/x'],
    'http://127.0.0.1:4021/x': [
      'http://0x7f.1:4021/x',
      'http://2130706433:4021/x',
      'http://0177.0.0.1:4021/x',
      'http://127.1:4021/x',
      'http://127.0.0.1.:4021/x',
    ],
    'http://[::1]/x': ['http://[0:0:0:0:0:0:0:1]/x', 'http://[::0001]:80/x'],
    'https://example.com/a%20b': ['https://example.com/a b', 'https://example.com/a%20b/'],
    'https://example.com/a,b@c': ['https://example.com/a%2Cb%40c', 'https://example.com/a%2cb@c'],
    'https://example.com/caf%C3%A9': [
      'https://example.com/café',
      'https://example.com/cafe\u0301',
      'https://example.com/caf%c3%a9',
      'https://example.com/cafe%CC%81',
    ],
    'https://example.com/weather/:city': [
      'https://example.com/weather/{city}',
      'https://example.com/weather/%7Bcity%7D',
      'https://example.com/weather/[city]',
      'https://example.com/weather/:town',
      'https://example.com/weather/%3Acity',
      'https://example.com/weather/:',
    ],
    'mcp://tools.example/weather': [
      'MCP://Tools.Example/weather/',
      'mcp://tools.example/weather?x',
    ],
  };
  for (const [canonical, spellings] of Object.entries(SAME)) {
    it(`${canonical} in ${spellings.length} other spellings`, () => {
      for (const spelling of spellings) assert.equal(keyOf(spelling), keyOf(canonical), spelling);
      assert.equal(read(canonical).url, canonical);
    });
  }
});

describe('[spec: Catalog entry/resource] different resources have different keys', () => {
  it('by scheme, host, port, path, letter case of the path, and position of a parameter', () => {
    const different = [
      'https://example.com/a',
      'http://example.com/a',
      'mcp://example.com/a',
      'https://example.com:8443/a',
      'https://www.example.com/a',
      'https://example.org/a',
      'https://example.com/A',
      'https://example.com/b',
      'https://example.com/a/b',
      'https://example.com/a%2Fb',
      'https://example.com/a%252Fb',
      'https://example.com/a%3Fb',
      'https://example.com/a%23b',
      'https://example.com/:x',
      'https://example.com/:x/a',
      'https://example.com/a/:x',
      'https://example.com',
      'https://exаmple.com/a', // with a Cyrillic а
    ];
    assert.equal(new Set(different.map(keyOf)).size, different.length);
  });
});

describe('A URL that does not name a resource is refused', () => {
  const REFUSED: readonly (readonly [string, string])[] = [
    ['', 'not_a_url'],
    ['/quote', 'not_a_url'],
    ['example.com/quote', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://a b.example/', 'not_a_url'],
    ['https://256.256.256.256/', 'not_a_url'],
    ['https://example.com:65536/', 'not_a_url'],
    ['javascript:alert(1)', 'unsupported_scheme'],
    ['data:text/html,x', 'unsupported_scheme'],
    ['file:///etc/passwd', 'unsupported_scheme'],
    ['ftp://example.com/x', 'unsupported_scheme'],
    ['blob:https://example.com/x', 'unsupported_scheme'],
    ['mcp:tool', 'no_host'],
    ['mcp://t%C3%B6ol/x', 'no_host'],
    ['https://a..b/', 'no_host'],
    ['https://0x7f.1../', 'no_host'],
    ['https://example.com/a\u0000b', 'hidden_character'],
    ['https://exa\tmple.com/', 'hidden_character'],
    ['https://example.com/a\nb', 'hidden_character'],
    ['https://example.com/a\u200bb', 'hidden_character'],
    ['https://example.com/\u202egpj.exe', 'hidden_character'],
    ['https://example.com/a%00b', 'bad_path'],
    ['https://example.com/a%0d%0ab', 'bad_path'],
    ['https://example.com/a%E2%80%8Bb', 'bad_path'],
    ['https://example.com/100%', 'bad_path'],
    ['https://example.com/%zz', 'bad_path'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'too_long'],
    [`https://example.com/${'é'.repeat(1_000)}`, 'too_long'],
  ];
  for (const [text, problem] of REFUSED) {
    it(`${JSON.stringify(text).slice(0, 50)}: ${problem}`, () => {
      assert.equal(problemOf(text), problem);
    });
  }
});

const host = fc.constantFrom('example.com', 'api.example.org', 'xn--bcher-kva.example', '10.0.0.1');
const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
/** Segments as a server knows them: text without hidden characters, never a dot segment or a parameter. */
const segment = letters.filter(
  (text) =>
    !hasHiddenCharacter(text) && !/\p{Cs}/u.test(text) && !/^(\.{1,2}|[:{[].*)$/su.test(text),
);
const parts = fc.record({
  scheme: fc.constantFrom('http', 'https'),
  host,
  port: fc.constantFrom('', ':8080'),
  segments: fc.array(segment, { maxLength: 4 }),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

const encodeAll = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (b) => `%${b.toString(16).padStart(2, '0')}`).join('');
const plainly = ({ scheme, host, port, segments }: Parts): string =>
  [`${scheme}://${host}${port}`, ...segments.map(encodeURIComponent)].join('/');
const identity = ({ scheme, host, port, segments }: Parts): string =>
  JSON.stringify([scheme, host, port, segments.map((text) => text.normalize('NFC'))]);

/** Another spelling of the same resource. */
const respelt = fc
  .tuple(parts, fc.infiniteStream(fc.nat(5)), fc.constantFrom('', '?x=1', '#y', '/', '//?z#'))
  .map(([written, choices, tail]) => {
    const pick = (): number => choices.next().value ?? 0;
    const port =
      written.port === '' && pick() > 2 ? (written.scheme === 'http' ? ':80' : ':443') : '';
    const path = written.segments.map((text) => {
      const spelling = pick();
      const encoded = spelling > 2 ? encodeAll(text) : encodeURIComponent(text);
      return spelling === 5 ? `x/../${encoded}` : spelling === 4 ? `.//${encoded}` : encoded;
    });
    const [scheme, name] = pick() > 2 ? ['HTTP', 'toUpperCase'] : ['http', 'toLowerCase'];
    const authority = name === 'toUpperCase' ? written.host.toUpperCase() : written.host;
    const spelt = `${written.scheme === 'https' ? `${scheme}S` : scheme}://${pick() > 3 ? 'u:p@' : ''}${authority}${written.port}${port}`;
    return { written, text: `${[spelt, ...path].join('/')}${tail}` };
  });

describe('Properties of the key', () => {
  it('equal resources have equal keys, however they are written', () => {
    fc.assert(
      fc.property(respelt, ({ written, text }) => {
        assert.equal(keyOf(text), keyOf(plainly(written)), text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('different resources do not', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        assert.equal(keyOf(plainly(a)) === keyOf(plainly(b)), identity(a) === identity(b));
      }),
      { numRuns: 1_000 },
    );
  });

  it('its own URL has the same key and the same spelling', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true }),
          fc.string(),
          respelt.map((r) => r.text),
        ),
        (text) => {
          const parsed = parseResource(text);
          if (!parsed.ok) return;
          const again = read(parsed.resource.url);
          assert.deepEqual(again, parsed.resource);
          assert.equal(read(again.key).key, again.key);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('any input is answered, and none throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void parseResource(`https://${text}`)),
    );
  });
});
