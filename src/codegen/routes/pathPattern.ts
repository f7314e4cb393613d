import { type Refusal, refuse } from './route.ts';

/** A path that both the framework and the payment middleware understand in the same way. */
export interface PayablePath {
  /** As the middleware matches it, without a slash at the end. */
  readonly path: string;
  readonly params: readonly string[];
}

const PLAIN = /^[A-Za-z0-9\-._~!$&',;=@:/*]*$/;

/**
 * Reads a path of Express or Fastify as the payment middleware would match it. What the middleware
 * reads in another way would leave the route unpaid, so it is refused.
 *
 * The middleware knows `:name` and `*`, takes a slash at the end away from requests, and takes
 * everything else literally.
 */
export function payablePath(path: string, framework: 'express' | 'fastify'): PayablePath | Refusal {
  if (path !== '' && !path.startsWith('/') && path !== '*') {
    return refuse('path_not_supported', `The path ${path} does not begin with a slash.`);
  }
  // Express 5 names its wildcards.
  const unnamed = framework === 'express' ? path.replaceAll(/\*[A-Za-z_]\w*/g, '*') : path;
  if (/[()?+{}[\]|^\\]/.test(unnamed) || (framework === 'fastify' && unnamed.includes('::'))) {
    return refuse(
      'path_not_supported',
      `The path ${path} uses a pattern that the payment middleware reads differently, so some requests would pass unpaid. Give the paid route a path of plain segments, :parameters and *.`,
    );
  }
  if (!PLAIN.test(unnamed)) {
    return refuse(
      'path_not_supported',
      `The path ${path} has characters that requests carry encoded; the payment middleware would not recognise them.`,
    );
  }
  const names = [...unnamed.matchAll(/:(\w*)/g)].map(([, name = '']) => name);
  if (names.some((name) => !/^[A-Za-z_]/.test(name))) {
    return refuse(
      'path_not_supported',
      `A parameter of ${path} has no name that the payment middleware reads.`,
    );
  }
  const trimmed = unnamed.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1');
  return { path: trimmed === '' ? '/' : trimmed, params: names };
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value && 'message' in value;
}

/**
 * Whether a key of a routes map (`GET /weather/:city`) covers a route, by the rules of the payment
 * middleware.
 */
export function keyCovers(key: string, method: string, path: string): boolean {
  const [verb = '', pattern = ''] = key.includes(' ') ? key.split(/\s+/) : ['*', key];
  if (verb !== '*' && verb.toUpperCase() !== method) return false;
  if (pattern === '*') return true;
  const expression = pattern
    .replaceAll(/[\\$()+.?^{|}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(/\[[^\]]+\]|:[A-Za-z_]\w*/g, '[^/]+');
  // A route's own parameters count as any segment.
  const concrete = path.replaceAll(/\[[^\]]+\]|:[A-Za-z_]\w*/g, '1').replaceAll('*', '1');
  return new RegExp(`^${expression}$`, 'i').test(concrete);
}
