import type { Style } from '../../source/style.ts';
import { arrow, callWithFunction, indented } from './functionLines.ts';
import { fits } from './writeCode.ts';

/**
 * The function through which Fastify's payment hooks see an instance, so that they run for one route, as the router matched it.
 * The adapter adds its hooks to entire instances and reads the path itself.
 */
export function forRouteLines(
  name: string,
  middleware: string,
  typed: boolean,
  style: Style,
): readonly string[] {
  const { declare, quote, semicolons, spacedBraces } = style;
  const end = semicolons ? ';' : '';
  const parameters = typed
    ? ['instance: object', 'method: string', 'path: string']
    : ['app', 'method', 'path'];
  const pad = spacedBraces ? ' ' : '';
  const made = typed ? 'const tied: typeof app =' : 'return';
  return [
    '// Hooks of a payment run for the route that the router matched, however its path is written.',
    ...arrow(`${declare} ${name} = `, parameters, '', style),
    ...indented(
      [
        ...(typed ? typeLines(middleware, end) : []),
        `const full = app.prefix + path${end}`,
        `const urls = path === ${quote}/${quote} ? [full, app.prefix] : [full]${end}`,
        `${made} Object.assign(Object.create(app), {`,
        ...indented([...decorateLines(typed, style), ...hookLines(typed, pad, style)], style),
        `})${end}`,
        ...(typed ? [`return tied${end}`] : []),
      ],
      style,
    ),
    `}${end}`,
  ];
}

/**
 * The adapter's parameter type is an instance over HTTP/1 with Fastify's own logger. TypeScript rejects any other instance,
 * although the hooks are the same.
 */
function typeLines(middleware: string, end: string): readonly string[] {
  return [
    '// The type in the adapter is that of an app over HTTP/1 with the default logger.',
    `const app = instance as Parameters<typeof ${middleware}>[0]${end}`,
  ];
}

/** Indentation level of the returned object's members. */
const DEEP = 2;

function decorateLines(typed: boolean, style: Style): readonly string[] {
  const [parameters, value] = typed ? ['(name: string)', 'undefined'] : ['(name, value)', 'value'];
  const head = `decorateRequest: ${parameters} =>`;
  const known = 'app.hasRequestDecorator(name) ||';
  const decorated = `app.decorateRequest(name, ${value}),`;
  if (fits(`${head} ${known} ${decorated}`, style, DEEP)) return [`${head} ${known} ${decorated}`];
  const one = `${known} ${decorated}`;
  return [head, ...indented(fits(one, style, DEEP + 1) ? [one] : [known, decorated], style)];
}

function hookLines(typed: boolean, pad: string, style: Style): readonly string[] {
  const { quote, semicolons, trailingCommas } = style;
  const end = semicolons ? ';' : '';
  const head = typed
    ? `addHook: (name: ${quote}onSend${quote}, hook: (...all: unknown[]) => unknown) =>`
    : 'addHook: (name, hook) =>';
  // A default value keeps the parameter count at two, the maximum that Fastify allows for some hooks.
  const parameters = `(request, reply, payload${typed ? ': unknown' : ''} = undefined)`;
  const call = callWithFunction(
    'app.addHook',
    ['name'],
    `async ${parameters} => {`,
    [
      `const {${pad}url = ${quote}${quote}${pad}} = request.routeOptions${end}`,
      `const own = request.method === method && urls.includes(url)${end}`,
      `return own ? hook(request, reply, payload) : payload${end}`,
    ],
    trailingCommas ? ',' : '',
    style,
    DEEP + 1,
  );
  return [head, ...indented(call, style)];
}
