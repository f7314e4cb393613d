import type { Style } from '../../source/style.ts';
import type { RegisteredReading } from '../reading/registeredReading.ts';
import { type Code, call, type Line, member, type Name, object, quoted, text } from './code.ts';

interface GateParts {
  readonly registered: Pick<RegisteredReading, 'framework' | 'owner' | 'tied'>;
  /** Whether the gate is a call in a chain, and not a statement. */
  readonly inChain: boolean;
  /** As in a key: `GET`, or `*` for every method. */
  readonly method: string;
  /** `undefined` for a path that only the router can interpret. */
  readonly key: Name | undefined;
  readonly config: Code;
  readonly path: Code;
  /** The local name of `paymentMiddleware`. */
  readonly middleware: string;
  readonly server: string;
  /** The function that ties a payment of Fastify or Hono to one route. */
  readonly forRoute: string;
  /** An unused name for the payment terms, in case two keys share them. */
  readonly configName: () => string;
  readonly typed: boolean;
  readonly style: Style;
}

/** The statements that charge for a route on an instance. */
export function gateLines(parts: GateParts): readonly Line[] {
  const { registered, key, config, middleware, server, style } = parts;
  const tail = style.semicolons ? ';' : '';
  if (!registered.tied && key) {
    const map = object([{ name: key, value: config }], true);
    const code = call(`${registered.owner}.use`, call(middleware, map, text(server)));
    return [{ lead: '', code, tail }];
  }
  const all: Name = { name: `${parts.method} ${EVERY_PATH}` };
  if (registered.framework === 'hono') {
    const map = object([{ name: key ?? all, value: config }], true);
    const verb = parts.method === '*' ? 'all' : parts.method.toLowerCase();
    // In a chain, `use` is the method that leaves the type of the app as clients of it know it.
    const callee = parts.inChain ? '.use' : `${registered.owner}.${verb}`;
    const code = call(callee, parts.path, call(parts.forRoute, map));
    return [{ lead: '', code, tail: parts.inChain ? '' : tail }];
  }
  if (!key) {
    return [{ lead: '', code: tied(parts, object([{ name: all, value: config }], true)), tail }];
  }
  const { shared, declaration, rest } = sharedTerms(parts, config);
  const map = object(
    [
      { name: key, value: rest },
      { name: all, value: object([member('accepts', text(shared))]), comment: ROUTER_COMMENT },
    ],
    true,
  );
  return [declaration, { lead: '', code: tied(parts, map), tail }];
}

/** Moves the payment terms out of a configuration, so that two keys can share them. */
function sharedTerms(
  { style, configName, typed }: GateParts,
  config: Code,
): { readonly shared: string; readonly declaration: Line; readonly rest: Code } {
  const shared = configName();
  const members = config.kind === 'object' ? config.members : [];
  const terms = members.find(({ name }) => 'name' in name && name.name === 'accepts');
  // The packages' types require these exact texts, not just any string.
  const lead = `${style.declare} ${shared} = ${typed ? '' : '/** @type {const} */ ('}`;
  const tail = `${typed ? ' as const' : ')'}${style.semicolons ? ';' : ''}`;
  const others = members.filter((each) => each !== terms);
  return {
    shared,
    declaration: { lead, code: terms?.value ?? object([]), tail },
    rest: object([member('accepts', text(shared)), ...others], true),
  };
}

/**
 * Matches every path. It is not a single star, which discovery would take for a parameter of a template.
 */
const EVERY_PATH = '**';

/** The comment above the second key of a gate. */
const ROUTER_COMMENT = 'For paths that the router takes and the key above does not match.';

function tied(parts: GateParts, map: Code): Code {
  const { registered, method, path, middleware, server } = parts;
  const { owner } = registered;
  if (registered.framework !== 'fastify') {
    const verb = method === '*' ? 'all' : method.toLowerCase();
    return call(`${owner}.${verb}`, path, call(middleware, map, text(server)));
  }
  const route = call(parts.forRoute, text(owner), quoted(method), path);
  return call(middleware, route, map, text(server));
}
