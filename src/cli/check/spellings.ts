/** A request written the way someone who wants to avoid payment might write it. */
export interface Spelling {
  /** A short description of what is unusual about it. */
  readonly name: string;
  readonly method: string;
  /** The target of the request line, sent unchanged. */
  readonly target: string;
  /** The version of HTTP, if it is not 1.1. */
  readonly version?: '1.0';
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a form. */
  readonly body?: string;
  /** The same request without what is unusual about it. If it gets the same answer, the unusual part had no effect. */
  readonly plain?: Pick<Spelling, 'method' | 'target' | 'headers' | 'body'>;
}

/** The frameworks that have spellings of their own. */
export type SpelledFramework = 'express' | 'fastify' | 'hono' | 'next-app';

/** Line feed, carriage return, vertical tab, next line, and Unicode's separators of lines and paragraphs. */
const LINE_BREAKS = ['%0A', '%0D', '%0D%0A', '%0B', '%C2%85', '%E2%80%A8', '%E2%80%A9'];

/** Changes to a path; a router and a gate may disagree about each. */
const SPELLINGS: readonly (readonly [string, (parts: Parts) => string])[] = [
  ['the plain path', ({ path }) => path],
  ['trailing slash', ({ path }) => `${path}/`],
  ['two leading slashes', ({ path }) => `/${path}`],
  ['every slash doubled', ({ path }) => path.replaceAll('/', '//')],
  ['semicolon', ({ path }) => `${path};`],
  ['semicolon and text', ({ path }) => `${path};x=1`],
  ['last part empty', ({ parent }) => parent],
  ['last part missing', ({ parent }) => parent.replace(/(.)\/$/, '$1')],
  ['last slash is a backslash', ({ parent }) => `${parent}\\`],
  ['backslash in it', ({ parent }) => `${parent}a\\b`],
  ['last part encoded', ({ parent, last }) => parent + encoded(last)],
  ['first letter encoded', ({ path }) => `/${encoded(path.slice(1, 2))}${path.slice(2)}`],
  ['encoded slash', ({ parent }) => `${parent}%2F`],
  ['trailing encoded slash', ({ path }) => `${path}%2F`],
  ['a dot segment', ({ parent, last }) => `${parent}./${last}`],
  ['upper case', ({ path }) => path.toUpperCase()],
  ['a fragment', ({ path }) => `${path}#x`],
  // Patterns stop at line breaks, and gates decode what routers leave encoded, or the other way round.
  ...[
    ...LINE_BREAKS,
    '%00',
    '%09',
    '%20',
    '%3F',
    '%23',
    '%3B',
    '%2E',
    '%252F',
    '%25',
    '%',
    '%FF',
  ].map((end): (typeof SPELLINGS)[number] => [`ends in ${end}`, ({ path }) => path + end]),
  ...LINE_BREAKS.flatMap((code): (typeof SPELLINGS)[number][] => [
    [`${code} before the last part`, ({ parent, last }) => parent + code + last],
    [`${code} alone`, ({ parent }) => parent + code],
    [`encoded backslash and ${code}`, ({ path }) => `${path}%5C${code}`],
    [`encoded slash and ${code}`, ({ path }) => `${path}%2F${code}`],
  ]),
  ['encoded backslash', ({ path }) => `${path}%5C`],
  ['last slash is an encoded backslash', ({ parent, last }) => `${parent.slice(0, -1)}%5C${last}`],
  ['last slash is encoded', ({ parent, last }) => `${parent.slice(0, -1)}%2F${last}`],
  ['last part encoded twice', ({ parent, last }) => parent + encoded(encoded(last))],
  ['a parent segment', ({ parent, last }) => `${parent}x/../${last}`],
  ['an encoded parent segment', ({ parent, last }) => `${parent}x/%2E%2E/${last}`],
  ['lower case', ({ path }) => path.toLowerCase()],
  ['another host in the target', ({ path }) => `http://other.example${path}`],
];

interface Parts {
  readonly path: string;
  /** Everything up to and including the last slash. */
  readonly parent: string;
  readonly last: string;
}

/** Headers by which a middleware takes a request for one of another method. */
const OVERRIDES = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Requests of another method that say they mean the sold one. A gate that knows the method of the request line misses them. */
function overrides(method: string, url: string): readonly Spelling[] {
  const plain = { method: method === 'POST' ? 'GET' : 'POST', target: url };
  const said = `_method=${method}`;
  return [
    ...OVERRIDES.map((name) => ({
      ...plain,
      name: `${name}: ${method}`,
      headers: { [name]: method },
      plain,
    })),
    { ...plain, name: said, target: withQuery(url, said), plain },
    ...(plain.method === 'POST'
      ? [
          {
            ...plain,
            name: `a form with ${said}`,
            headers: FORM,
            body: said,
            plain: { ...plain, headers: FORM, body: 'a=b' },
          },
        ]
      : []),
  ];
}

/** Headers by which a framework chooses among handlers, or passes over some. */
const HEADERS: Readonly<Record<SpelledFramework, readonly Readonly<Record<string, string>>[]>> = {
  express: [],
  fastify: [{ 'Accept-Version': '*' }, { 'Accept-Version': '1.x' }],
  hono: [],
  'next-app': [
    // Versions of Next.js before 15.2.3 passed over the middleware (CVE-2025-29927).
    { 'X-Middleware-Subrequest': Array(5).fill('middleware').join(':') },
    { 'X-Middleware-Subrequest': Array(5).fill('src/middleware').join(':') },
    { 'X-Middleware-Prefetch': '1' },
    { 'X-Nextjs-Data': '1' },
    { RSC: '1' },
    { 'Next-Router-Prefetch': '1', Purpose: 'prefetch' },
    { 'X-Prerender-Revalidate': '1' },
  ],
};

/** Paths at which a framework serves the same route in another form. */
const FORMS: Readonly<Record<SpelledFramework, readonly ((path: string) => string)[]>> = {
  express: [],
  fastify: [],
  hono: [],
  'next-app': [
    (path) => `/_next/data/build${path}.json`,
    (path) => `${path}.rsc`,
    (path) => `${path}.json`,
    (path) => `${path}?_rsc=1`,
  ],
};

function frameworkSpellings(
  framework: SpelledFramework,
  method: string,
  url: string,
): readonly Spelling[] {
  const [path = '/'] = url.split('?');
  return [
    ...HEADERS[framework].map((headers) => {
      const name = Object.entries(headers)
        .map((pair) => pair.join(': '))
        .join(', ');
      return { name, method, target: url, headers };
    }),
    ...FORMS[framework].map((form) => {
      const target = form(path);
      return { name: target, method, target };
    }),
  ];
}

const ALL = ['express', 'fastify', 'hono', 'next-app'] as const;

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Returns the spellings of a request to try.
 * @param url path and query
 * @param framework whose own spellings are added; without one, those of all
 */
export function spellingsOf(
  method: string,
  url: string,
  framework?: SpelledFramework,
): readonly Spelling[] {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark);
  const cut = path.lastIndexOf('/') + 1;
  const parts = { path, parent: path.slice(0, cut), last: path.slice(cut) };
  return [
    ...SPELLINGS.map(([name, spell]) => ({ name, method, target: spell(parts) + query })),
    { name: 'HTTP/1.0', method, target: url, version: '1.0' as const },
    // Where another method is sold, HEAD is a request of what GET serves.
    {
      name: 'HEAD',
      method: 'HEAD',
      target: url,
      ...(method === 'GET' ? {} : { plain: { method: 'GET', target: url } }),
    },
    { name: 'OPTIONS', method: 'OPTIONS', target: url },
    ...overrides(method, url),
    ...(framework ? [framework] : ALL).flatMap((each) => frameworkSpellings(each, method, url)),
  ];
}

function encoded(text: string): string {
  return [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`).join('');
}

/**
 * Returns a path that matches a router's pattern, such as `/items/1` for `/items/:id`.
 * @returns `undefined` for a pattern that only the router can interpret
 */
export function concretePath(pattern: string): string | undefined {
  if (!pattern.startsWith('/')) return pattern === '' ? '/' : undefined;
  const path = pattern
    .replaceAll(/\[{1,2}[^[\]]+\]{1,2}/g, '1')
    .replaceAll(/:[A-Za-z_]\w*/g, '1')
    .replaceAll(/\*[A-Za-z_]\w*|\*/g, '1');
  return /^[\w\-.~!$&',;=@:/]*$/.test(path) ? path : undefined;
}

/**
 * Returns paths of the same form that the app does not serve. The responses show how the app answers unknown paths.
 */
export function unknownPaths(url: string, token: string): readonly string[] {
  const [path = '/'] = url.split('?');
  const segments = path.split('/').slice(1);
  const kept = segments.map((segment, at) =>
    at === Math.max(0, segments.length - 2) ? `${segment}${token}` : segment,
  );
  return [kept, segments.map((_, at) => `${token}${at}`)].map((parts) => `/${parts.join('/')}`);
}
