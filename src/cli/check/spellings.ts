/** A request as someone who does not want to pay would write it. */
export interface Spelling {
  /** What is unusual about it, in a few words. */
  readonly name: string;
  readonly method: string;
  /** The target of the request line, sent unchanged. */
  readonly target: string;
}

/** Changes to a path; each is a way in which a router and a gate may disagree. */
const SPELLINGS: readonly (readonly [string, (parts: Parts) => string])[] = [
  ['as it is', ({ path }) => path],
  ['slash at the end', ({ path }) => `${path}/`],
  ['two slashes in front', ({ path }) => `/${path}`],
  ['every slash twice', ({ path }) => path.replaceAll('/', '//')],
  ['semicolon', ({ path }) => `${path};`],
  ['semicolon and text', ({ path }) => `${path};x=1`],
  ['last part empty', ({ parent }) => parent],
  ['last part missing', ({ parent }) => parent.replace(/(.)\/$/, '$1')],
  ['last part a backslash', ({ parent }) => `${parent}\\`],
  ['backslash in it', ({ parent }) => `${parent}a\\b`],
  ['last part encoded', ({ parent, last }) => parent + encoded(last)],
  ['first letter encoded', ({ path }) => `/${encoded(path.slice(1, 2))}${path.slice(2)}`],
  ['encoded slash', ({ parent }) => `${parent}%2F`],
  ['encoded slash at the end', ({ path }) => `${path}%2F`],
  ['a dot segment', ({ parent, last }) => `${parent}./${last}`],
  ['upper case', ({ path }) => path.toUpperCase()],
  ['a fragment', ({ path }) => `${path}#x`],
  ['another host in the target', ({ path }) => `http://other.example${path}`],
];

interface Parts {
  readonly path: string;
  /** Up to the last slash, with it. */
  readonly parent: string;
  readonly last: string;
}

/**
 * The spellings of a request that are asked for.
 * @param url path and query
 */
export function spellingsOf(method: string, url: string): readonly Spelling[] {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark);
  const cut = path.lastIndexOf('/') + 1;
  const parts = { path, parent: path.slice(0, cut), last: path.slice(cut) };
  return [
    ...SPELLINGS.map(([name, spell]) => ({ name, method, target: spell(parts) + query })),
    ...['HEAD', 'OPTIONS'].map((other) => ({ name: other, method: other, target: url })),
  ];
}

function encoded(text: string): string {
  return [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`).join('');
}

/**
 * A path that a router's pattern matches: `/items/:id` as `/items/1`.
 * @returns `undefined` for a pattern that only the router can read
 */
export function concretePath(pattern: string): string | undefined {
  if (!pattern.startsWith('/')) return pattern === '' ? '/' : undefined;
  const path = pattern
    .replaceAll(/\[\[?(?:\.\.\.)?[^\]]+\]\]?/g, '1')
    .replaceAll(/:[A-Za-z_]\w*/g, '1')
    .replaceAll(/\*[A-Za-z_]\w*|\*/g, '1');
  return /^[\w\-.~!$&',;=@:/]*$/.test(path) ? path : undefined;
}

/**
 * Paths of the same form that nothing serves. Their answers show how the app responds to a path that
 * it does not know.
 */
export function unknownPaths(url: string, token: string): readonly string[] {
  const [path = '/'] = url.split('?');
  const segments = path.split('/').slice(1);
  const kept = segments.map((segment, at) =>
    at === Math.max(0, segments.length - 2) ? `${segment}${token}` : segment,
  );
  return [kept, segments.map((_, at) => `${token}${at}`)].map((parts) => `/${parts.join('/')}`);
}
