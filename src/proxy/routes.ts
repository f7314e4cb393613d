import { canonicalSegments } from '../protocol/index.ts';
import type { Target, TargetProblem } from '../seller/index.ts';

/** A route of the upstream, as far as it is matched. `T` is what is known about it. */
export interface Route<T> {
  /** Upper case; `*` for every method. */
  readonly method: string;
  readonly pattern: readonly Part[];
  /** As the configuration writes it. */
  readonly text: string;
  readonly sold: boolean;
  /** Peculiarities of paths that are forwarded on this route. */
  readonly allow: readonly TargetProblem[];
  readonly about: T;
}

/** A part of a path: fixed text, one segment, or all the rest. */
export type Part =
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'rest' };

/** The decision about a request before any payment. */
export type Access<T> =
  | { readonly kind: 'route'; readonly route: Route<T>; readonly params: Params }
  | { readonly kind: 'otherwise' }
  /** HEAD of a sold route, which is answered without payment and without the handler. */
  | { readonly kind: 'head'; readonly route: Route<T> }
  /** OPTIONS of a sold route. @property methods those of the path */
  | { readonly kind: 'options'; readonly methods: readonly string[] }
  | { readonly kind: 'method'; readonly methods: readonly string[] }
  /** The path is read differently by different routers. */
  | { readonly kind: 'ambiguous'; readonly why: string };

export type Params = Readonly<Record<string, string>>;

/**
 * Reads a path of a route: fixed segments, `{name}` or `:name` for one segment, and `*` at the end for one or more.
 * @returns `undefined` if it has another form
 */
export function readPattern(path: string): readonly Part[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const parts: Part[] = [];
  const pieces = path.split('/').filter((piece) => piece !== '');
  for (const [at, piece] of pieces.entries()) {
    if (piece === '*' || piece === '**') {
      if (at !== pieces.length - 1) return undefined;
      parts.push({ kind: 'rest' });
      continue;
    }
    const [segment, ...more] = canonicalSegments(encodePiece(piece)) ?? [];
    if (segment === undefined || more.length > 0) return undefined;
    if (segment.startsWith(':')) parts.push({ kind: 'one', name: segment.slice(1) });
    else if (/[*{}]/.test(piece)) return undefined;
    else parts.push({ kind: 'fixed', text: segment });
  }
  return parts;
}

/** Encodes what a person may write plainly in a configuration. */
function encodePiece(piece: string): string {
  return piece.replace(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter));
}

function match(
  pattern: readonly Part[],
  segments: readonly string[],
  fold: (text: string) => string,
): Params | undefined {
  const params: Record<string, string> = {};
  const last = pattern.at(-1);
  const isOpen = last?.kind === 'rest';
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length)
    return undefined;
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (part.kind === 'fixed' && fold(part.text) !== fold(segment)) return undefined;
    if (part.kind === 'one') params[part.name] = segment;
  }
  return params;
}

/** Orders routes: fixed text before one segment before the rest, from the left. */
function rank(pattern: readonly Part[]): string {
  return pattern.map(({ kind }) => ({ fixed: 'a', one: 'b', rest: 'c' })[kind]).join('');
}

const asIs = (text: string): string => text;
/** Both ways, since some letters have two lower or upper cases. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase();

/** Ends of names that a server may run as a program, with what follows as its argument. */
const SCRIPT = /\.(?:php\d?|phtml|cgi|py|pl|aspx?|jsp|do)$/i;

/**
 * The paths that a lenient router may read in these segments: without their letter case, without an extension (`/weather.json`),
 * and below a script (`/index.php/weather`).
 */
function lenientReadings(segments: readonly string[]): readonly (readonly string[])[] {
  const last = segments.at(-1) ?? '';
  const bare = last.replace(/(?<=.)\.[^.]*$/, '');
  const all = [segments, [...segments.slice(0, -1), bare]];
  const script = segments.findIndex((segment) => SCRIPT.test(segment));
  if (script >= 0) {
    all.push(
      segments.slice(script + 1),
      segments.filter((_, at) => at !== script),
    );
    all.push(segments.map((segment) => segment.replace(SCRIPT, '')));
  }
  return all;
}

/** Methods that frameworks let a POST become, by a form's `_method`. */
const OVERRIDES = /(?:^\?|&)_method=/i;
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** What is asked for, as far as routes depend on it. */
export interface Asked {
  readonly method: string;
  readonly target: Target;
  readonly contentType: string | undefined;
}

/**
 * Finds the route of a request. Nothing sold is free by accident: a path that a lenient router could read as a sold one is
 * refused, other methods of a sold path are refused, and so is a form that could change its method to a sold one.
 */
export function findRoute<T>(
  routes: readonly Route<T>[],
  { method, target, contentType }: Asked,
): Access<T> {
  const { segments, problems, query } = target;
  const here = routes
    .flatMap((route) => {
      const params = match(route.pattern, segments, asIs);
      return params === undefined ? [] : [{ route, params }];
    })
    .sort((a, b) => (rank(a.route.pattern) < rank(b.route.pattern) ? -1 : 1));
  const found =
    here.find(({ route }) => route.method === method) ??
    here.find(({ route }) => route.method === '*');
  const refused = problems.find((problem) => !(found?.route.allow ?? []).includes(problem));
  if (refused !== undefined) return { kind: 'ambiguous', why: refused };

  const sold = here.filter(({ route }) => route.sold);
  const methods = [...new Set(here.map(({ route }) => route.method))];
  if (found === undefined || !found.route.sold) {
    const get = sold.find(({ route }) => route.method === 'GET' || route.method === '*');
    if (method === 'HEAD' && get && !found) return { kind: 'head', route: get.route };
    if (method === 'OPTIONS' && sold.length > 0 && !found) return { kind: 'options', methods };
  } else if (method === 'HEAD') return { kind: 'head', route: found.route };
  else if (method === 'OPTIONS') return { kind: 'options', methods };

  if (found?.route.sold) return { kind: 'route', ...found };
  if (found === undefined && sold.length > 0) return { kind: 'method', methods };
  if (
    sold.length > 0 &&
    method === 'POST' &&
    (OVERRIDES.test(query) || FORM.test(contentType ?? ''))
  ) {
    return { kind: 'ambiguous', why: 'method-override' };
  }
  const isFixed = found?.route.pattern.every(({ kind }) => kind === 'fixed') ?? false;
  const others = routes.filter((route) => !here.some((each) => each.route === route));
  const near = isFixed ? undefined : nearMiss(others, segments);
  if (near !== undefined) return { kind: 'ambiguous', why: `nearly ${near.text}` };
  return found ? { kind: 'route', ...found } : { kind: 'otherwise' };
}

/** Returns a sold route that a lenient router could find for these segments. */
function nearMiss<T>(
  routes: readonly Route<T>[],
  segments: readonly string[],
): Route<T> | undefined {
  return routes.find(
    ({ sold, pattern }) =>
      sold &&
      // A pattern without fixed text matches everything anyway.
      pattern.some(({ kind }) => kind === 'fixed') &&
      lenientReadings(segments).some((reading) => match(pattern, reading, foldCase)),
  );
}
