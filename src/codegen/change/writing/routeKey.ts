import type { Route } from '../../routes/route.ts';
import type { Style } from '../../source/style.ts';
import type { RegisteredReading } from '../reading/registeredReading.ts';
import { type Code, type Name, quoted, text } from './code.ts';

/** A route's key in a gate's map, and its path if the path is code. */
export interface RouteKey {
  /** `undefined` for a path for which the payment middleware has no key. */
  readonly name: Name | undefined;
  /** The path for `app.head(…)`. */
  readonly path: Code;
}

/**
 * Returns the key of a route. A constant path stays a constant, so that both change together. The prefix of a Fastify plugin is
 * known only at run time, so the key reads it then.
 * @param before offset of the key: constants must be declared before it
 */
export function routeKey(
  { method, path, mounted = path }: Route,
  { path: written, byRouter, framework, origin, owner }: RegisteredReading,
  before: number,
  { quote }: Pick<Style, 'quote'>,
): RouteKey {
  if (!written) return { name: undefined, path: quoted(path) };
  if (byRouter) return { name: undefined, path: text(written.code) };
  const { literal = path } = written;
  const constant =
    written.constant && written.constant.declaredAt <= before ? written.constant : undefined;
  const code = constant ? text(constant.code) : quoted(literal);
  if (framework === 'fastify' && origin === 'given') {
    const prefix = `${owner}.prefix`;
    const tail =
      path === '/'
        ? `\${${prefix} || ${quote}/${quote}}`
        : `\${${prefix}}${constant?.inTemplate ?? path}`;
    return { name: { computed: `\`${method} ${tail}\`` }, path: code };
  }
  if (constant && mounted.endsWith(path)) {
    const mount = mounted.slice(0, -path.length);
    return { name: { computed: `\`${method} ${mount}${constant.inTemplate}\`` }, path: code };
  }
  return { name: { name: `${method} ${mounted}` }, path: code };
}
