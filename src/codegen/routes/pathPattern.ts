import { type Refusal, refuse } from './route.ts';

/**
 * How the payment middleware reads a path, compared with the router.
 * - `same`: every request that reaches the route matches the key, and no other route's does.
 * - `part`: the key names the route in the catalog, but the router accepts requests that the key misses.
 * - `router`: only the router can decide; the middleware has no key for such a path.
 */
export type PathReading = 'same' | 'part' | 'router';

/** A route's path as people write it, and how far the payment middleware can read it. */
export interface RoutePath {
  readonly path: string;
  readonly params: readonly string[];
  readonly reading: PathReading;
}

/** Frameworks in which calls register routes. */
export type Registering = 'express' | 'fastify' | 'hono';

const PLAIN = /^[A-Za-z0-9\-._~!$&',;=@:/*]*$/;

/**
 * Reads a path. The middleware knows `:name` and `*`, decodes a request's path, merges repeated slashes, replaces `\\` with
 * `/`, removes a trailing slash, and takes everything else literally. Routers treat parameters and wildcards differently (an
 * empty one, one with a `\\`); Fastify also treats plain paths differently (`GET http://host/path`, `;` as the start of a
 * query). So only a plain Express path is read the same way.
 */
export function readPath(path: string, framework: Registering): RoutePath | Refusal {
  if (path !== '' && !path.startsWith('/') && path !== '*') {
    return refuse('path_not_supported', `The path ${path} does not begin with a slash.`);
  }
  // Express 5 names its wildcards.
  const unnamed = framework === 'express' ? path.replaceAll(/\*[A-Za-z_]\w*/g, '*') : path;
  const names = [...unnamed.matchAll(/:(\w*)/g)].map(([, name = '']) => name);
  const trimmed = unnamed.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1');
  const readable =
    PLAIN.test(unnamed) &&
    !(framework === 'fastify' && unnamed.includes('::')) &&
    names.every((name) => /^[A-Za-z_]/.test(name));
  if (!readable) {
    const named = names.filter((name) => /^[A-Za-z_]/.test(name));
    return { path, params: named, reading: 'router' };
  }
  // Express takes other characters as patterns, and merged slashes would charge for another route.
  const plain = /^[A-Za-z0-9\-._~/]*$/.test(path) && !path.includes('//');
  return {
    path: trimmed === '' ? '/' : trimmed,
    params: names,
    reading: plain && framework === 'express' ? 'same' : 'part',
  };
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value && 'message' in value;
}

/**
 * Whether a key of a routes map (`GET /weather/:city`) covers a route, by the payment middleware's rules.
 */
export function keyCovers(key: string, method: string, path: string): boolean {
  const [verb = '', pattern = ''] = key.includes(' ') ? key.split(/\s+/) : ['*', key];
  if (verb !== '*' && verb.toUpperCase() !== method) return false;
  if (pattern === '*') return true;
  const parts = pattern.match(/\*+|\[[^[\]]+\]|:[A-Za-z_]\w*|[\s\S]/g) ?? [];
  // A route's own parameters count as any segment.
  const concrete = path.replaceAll(/\[[^[\]]+\]|:[A-Za-z_]\w*/g, '1').replaceAll('*', '1');
  return matchesParts(parts, concrete.toLowerCase());
}

/** Whether the parts of a key, wildcards among them, match a whole path: in steps of their lengths, whatever they contain. */
function matchesParts(parts: readonly string[], path: string): boolean {
  // At each place, whether the parts so far match the path up to there.
  let reached = new Uint8Array(path.length + 1);
  reached[0] = 1;
  for (const part of parts) {
    const next = new Uint8Array(path.length + 1);
    const [first] = part;
    const isParameter = part.length > 1 && first !== '*';
    if (first === '*') next[0] = reached[0] ?? 0;
    for (let at = 0; at < path.length; at += 1) {
      const matches =
        first === '*'
          ? reached[at + 1] || next[at]
          : isParameter
            ? path[at] !== '/' && (reached[at] || next[at])
            : path[at] === part.toLowerCase() && reached[at];
      if (matches) next[at + 1] = 1;
    }
    if (!next.includes(1)) return false;
    reached = next;
  }
  return reached[path.length] === 1;
}
