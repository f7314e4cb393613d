import type { Registration } from '../routes/foundRoute.ts';
import type { Style } from '../source/style.ts';
import type { Name } from './code.ts';
import { type Code, call, member, object, text, writeCode } from './code.ts';

interface GateParts {
  readonly registered: Registration;
  /** As in a key: `GET`, or `*` for every method. */
  readonly method: string;
  /** `undefined` for a path that only the router can read. */
  readonly key: Name | undefined;
  readonly config: Code;
  /** The path as code. */
  readonly path: string;
  /** The local name of `paymentMiddleware`. */
  readonly middleware: string;
  readonly server: string;
  /** The function that ties Fastify's hooks to one route. */
  readonly forRoute: string;
  /** A free name for what is to be paid, for where two keys share it. */
  readonly configName: () => string;
  readonly typed: boolean;
  readonly style: Style;
  /** Of the statement; lines are given without it, and as wide as it leaves. */
  readonly indent: string;
}

/**
 * Whether a gate has to be tied to the route that the router matched, because the middleware's key
 * and the router read some paths differently.
 */
export function isTied({ framework, reading }: Registration): boolean {
  return framework !== 'express' || reading !== 'same';
}

/** The statements that charge for a route on an instance. */
export function gateLines(parts: GateParts): readonly string[] {
  const { registered, key, config, middleware, server } = parts;
  const owner = registered.owner.getText();
  if (!isTied(registered) && key) {
    const map = object([{ name: key, value: config }], true);
    return statement(parts, call(`${owner}.use`, call(middleware, map, text(server))));
  }
  const all: Name = { name: `${parts.method} ${EVERY_PATH}` };
  if (!key) {
    return tied(parts, owner, object([{ name: all, value: config }], true));
  }
  const { shared, lines, rest } = sharedTerms(parts, config);
  const map = object(
    [
      { name: key, value: rest },
      { name: all, value: object([member('accepts', text(shared))]), comment: ROUTER_COMMENT },
    ],
    true,
  );
  return [...lines, ...tied(parts, owner, map)];
}

/** Takes what is to be paid out of a configuration, for two keys to share it. */
function sharedTerms(
  { style, indent, configName, typed }: GateParts,
  config: Code,
): { readonly shared: string; readonly lines: readonly string[]; readonly rest: Code } {
  const shared = configName();
  const members = config.kind === 'object' ? config.members : [];
  const terms = members.find(({ name }) => 'name' in name && name.name === 'accepts');
  const narrow = { ...style, width: style.width - indent.length };
  // The types of the packages ask for the very texts, not for any text.
  const start = `${style.declare} ${shared} = ${typed ? '' : '/** @type {const} */ ('}`;
  const end = `${typed ? ' as const' : ')'}${style.semicolons ? ';' : ''}`;
  const code = terms ? writeCode(terms.value, narrow, '', start.length) : '{}';
  const others = members.filter((each) => each !== terms);
  return {
    shared,
    lines: `${start}${code}${end}`.split('\n'),
    rest: object([member('accepts', text(shared)), ...others], true),
  };
}

/**
 * Matches every path. It is not one star, which discovery would take for a parameter of a template.
 */
const EVERY_PATH = '**';

/** Stands above the second key of a gate. */
const ROUTER_COMMENT = 'For paths that the router takes and the key above does not match.';

function tied(parts: GateParts, owner: string, map: Code): readonly string[] {
  const { registered, method, path, middleware, server, style } = parts;
  if (registered.framework !== 'fastify') {
    const verb = method === '*' ? 'all' : method.toLowerCase();
    return statement(
      parts,
      call(`${owner}.${verb}`, text(path), call(middleware, map, text(server))),
    );
  }
  const verb = `${style.quote}${method}${style.quote}`;
  const route = call(parts.forRoute, text(owner), text(verb), text(path));
  return statement(parts, call(middleware, route, map, text(server)));
}

function statement({ style, indent }: GateParts, code: Code): readonly string[] {
  const written = writeCode(code, { ...style, width: style.width - indent.length }, '', 0);
  return `${written}${style.semicolons ? ';' : ''}`.split('\n');
}

/** What answers HEAD in place of a GET handler, which would run unpaid. */
export function headLines(
  { framework, owner }: Registration,
  path: string,
  style: Style,
): readonly string[] {
  const receiver = owner.getText();
  const end = style.semicolons ? ';' : '';
  const { indent, quote } = style;
  switch (framework) {
    case 'fastify':
      return [`${receiver}.head(${path}, async (_request, reply) => reply.code(200).send())${end}`];
    case 'hono':
      // Hono answers HEAD with the routes of GET and knows no others for it.
      return [
        `${receiver}.get(${path}, async (c, next) => {`,
        `${indent}if (c.req.method === ${quote}HEAD${quote}) return c.body(null)${end}`,
        `${indent}await next()${end}`,
        `})${end}`,
      ];
    case 'express':
      return [
        `${receiver}.head(${path}, (_req, res) => {`,
        `${indent}res.status(200).end()${end}`,
        `})${end}`,
      ];
  }
}

/** Stands above the first of them. */
export const HEAD_COMMENT = '// HEAD asks for no payment, so it is answered without the handler.';

/**
 * The function through which Fastify's payment hooks see an instance: they run for one route, as the
 * router matched it. The adapter adds its hooks to whole instances and reads the path itself.
 */
export function forRouteLines(
  name: string,
  middleware: string,
  typed: boolean,
  style: Style,
): readonly string[] {
  const { declare, indent, quote, semicolons, trailingArguments } = style;
  const end = semicolons ? ';' : '';
  const comma = trailingArguments ? ',' : '';
  const head = typed
    ? [
        `${declare} ${name} = (`,
        `  app: Parameters<typeof ${middleware}>[0],`,
        '  method: string,',
        `  path: string${comma}`,
        '): typeof app => {',
      ]
    : [`${declare} ${name} = (app, method, path) => {`];
  const decorate = typed ? ['(name: string) =>', 'undefined'] : ['(name, value) =>', 'value'];
  const hook = typed
    ? `(name: ${quote}onSend${quote}, hook: (...all: unknown[]) => unknown) =>`
    : '(name, hook) =>';
  const lines = [
    ...head,
    `  const full = app.prefix + path${end}`,
    `  const urls = path === ${quote}/${quote} ? [full, app.prefix] : [full]${end}`,
    '  return Object.assign(Object.create(app), {',
    `    decorateRequest: ${decorate[0]}`,
    `      app.hasRequestDecorator(name) || app.decorateRequest(name, ${decorate[1]}),`,
    `    addHook: ${hook}`,
    // A default keeps the count of parameters at two, which is all that Fastify allows some hooks.
    `      app.addHook(name, async (request, reply, payload${typed ? ': unknown' : ''} = undefined) => {`,
    `        const { url = ${quote}${quote} } = request.routeOptions${end}`,
    `        const own = request.method === method && urls.includes(url)${end}`,
    `        return own ? hook(request, reply, payload) : payload${end}`,
    `      })${style.trailingCommas ? ',' : ''}`,
    `  })${end}`,
    `}${end}`,
  ];
  return [
    '// Hooks of a payment run for the route that the router matched, however its path is written.',
    ...lines.map((line) => line.replace(/^( {2})+/, (white) => indent.repeat(white.length / 2))),
  ];
}
