import { canonicalSegments, parameterName } from '../protocol/index.ts';

/**
 * What servers and routers read differently in a path, by the name under which a route may allow it. One that decodes twice, drops
 * what follows a semicolon, or joins double slashes would serve another resource than the one that was priced.
 */
export type TargetProblem =
  | 'encoded-slash'
  | 'backslash'
  | 'semicolon'
  | 'empty-segment'
  | 'dot-segment'
  | 'double-encoding'
  | 'encoded-delimiter'
  | 'trailing-dot'
  | 'template'
  | 'control-character'
  | 'bad-encoding'
  | 'hidden-character'
  | 'not-a-path';

/** Those that a route may allow by name; the others have no spelling that could be forwarded. */
export const ALLOWABLE_PROBLEMS = [
  'encoded-slash',
  'backslash',
  'semicolon',
  'double-encoding',
  'encoded-delimiter',
  'trailing-dot',
  'template',
] as const satisfies readonly TargetProblem[];

/** The target of a request. */
export interface Target {
  /** What goes upstream, without the query. */
  readonly path: string;
  /** Decoded no further than `canonicalPath` does. */
  readonly segments: readonly string[];
  /** With its `?`, unchanged; empty without one. */
  readonly query: string;
  /** What different routers read differently in it; nothing is forwarded unless the route allows all of it. */
  readonly problems: readonly TargetProblem[];
}

/** What a raw path must not contain, with its name. The order is that of the answers. */
const PATTERNS: readonly (readonly [RegExp, TargetProblem])[] = [
  [/[^\x21-\x7e]|%(?:[01][0-9a-f]|7f)/i, 'control-character'],
  [/%(?![0-9a-f]{2})/i, 'bad-encoding'],
  [/#/, 'not-a-path'],
  [/\\|%5c/i, 'backslash'],
  [/;|%3b/i, 'semicolon'],
  [/%2f/i, 'encoded-slash'],
  [/\/\//, 'empty-segment'],
  [/%25[0-9a-f]{2}/i, 'double-encoding'],
  [/%3f|%23/i, 'encoded-delimiter'],
];

/** Delimiters that compatibility forms of Unicode become in servers that normalize. */
const DELIMITERS = /[/\\;?#%]/g;

function problemsOf(path: string): TargetProblem[] {
  const found = PATTERNS.filter(([pattern]) => pattern.test(path)).map(([, problem]) => problem);
  for (const raw of path.split('/').slice(1)) {
    let text: string;
    try {
      text = decodeURIComponent(raw);
    } catch {
      found.push('bad-encoding');
      continue;
    }
    if (text === '.' || text === '..') found.push('dot-segment');
    else if (/[. ]$|^ /.test(text)) found.push('trailing-dot');
    if (parameterName(text) !== undefined) found.push('template');
    const folded = text.normalize('NFKC').match(DELIMITERS)?.length ?? 0;
    if (folded > (text.match(DELIMITERS)?.length ?? 0)) found.push('encoded-delimiter');
  }
  return [...new Set(found)];
}

/** Writes a segment that looks like a parameter as it came; `canonicalSegments` would give it another name. */
function spelled(raw: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const part of raw.split('/')) {
    if (part === '') continue;
    const [segment] = canonicalSegments(part) ?? [];
    if (segment === undefined) return undefined;
    const isTemplate = segment.startsWith(':') && parameterName(segment) !== undefined;
    segments.push(isTemplate ? encodeURIComponent(decodeURIComponent(part)) : segment);
  }
  return segments;
}

/**
 * Reads the target of a request line once, for pricing and for forwarding. Origin form and absolute form are read; of the latter,
 * only the path counts. A trailing slash is kept, and does not distinguish routes.
 */
export function readTarget(text: string): Target {
  const broken = (problem: TargetProblem): Target => ({
    path: '/',
    segments: [],
    query: '',
    problems: [problem],
  });
  const local = text.replace(/^https?:\/\/[^/?#\\]*/i, '');
  const at = local.indexOf('?');
  const raw = at < 0 ? local : local.slice(0, at);
  const query = at < 0 ? '' : local.slice(at);
  const path = raw === '' ? '/' : raw;
  if (!path.startsWith('/') || query.includes('#')) return broken('not-a-path');
  const problems = problemsOf(path);
  const isFatal = problems.some(
    (problem) => !ALLOWABLE_PROBLEMS.some((allowable) => allowable === problem),
  );
  if (isFatal) return { path: '/', segments: [], query: '', problems };
  const segments = spelled(path);
  if (segments === undefined) return broken('hidden-character');
  const slash = segments.length > 0 && path.endsWith('/') ? '/' : '';
  return { path: `/${segments.join('/')}${slash}`, segments, query, problems };
}
