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

/** Local names that the helper of Hono uses. */
interface HonoHelperNames {
  readonly helper: string;
  readonly server: string;
  /** `x402HTTPResourceServer` and `paymentMiddlewareFromHTTPServer`. */
  readonly http: string;
  readonly middleware: string;
}

/**
 * The function that charges for one route of Hono. The packages compare the path of a request with a pattern of their own, which
 * misses paths that the router takes (line breaks in 2.19). The router has matched the route already, so the packages are given
 * the route's own path.
 * @param atRequest whether the server is created by the first request, with the environment that only requests have
 */
export function honoRouteLines(
  { helper, server, http, middleware }: HonoHelperNames,
  atRequest: boolean,
  typed: boolean,
  style: Style,
): readonly string[] {
  const { declare, quote, semicolons, spacedBraces } = style;
  const end = semicolons ? ';' : '';
  const pad = spacedBraces ? ' ' : '';
  const change = style.declare === 'const' ? 'let' : style.declare;
  const gateType = `ReturnType<typeof ${middleware}>`;
  const parameters = typed ? [`routes: ConstructorParameters<typeof ${http}>[1]`] : ['routes'];
  const gateLines = (made: string) => [
    `${declare} http = new ${http}(${made}, routes)${end}`,
    `${declare} ask = http.processHTTPRequest.bind(http)${end}`,
    `http.requiresPayment = ({${pad}method${pad}}) => [method, ${quote}*${quote}].includes(verb)${end}`,
    ...arrow('http.processHTTPRequest = ', ['request', 'paywall'], '', style),
    ...indented([`return ask({${pad}...request, path${pad}}, paywall)${end}`], style),
    `}${end}`,
    `return ${middleware}(http)${end}`,
  ];
  const path = [
    `${declare} [key = ${quote}${quote}] = Object.keys(routes)${end}`,
    `${declare} verb = key.slice(0, key.indexOf(${quote} ${quote}))${end}`,
    `${declare} path = key.slice(key.indexOf(${quote} ${quote}) + 1)${end}`,
  ];
  if (!atRequest) {
    return [
      COMMENT,
      ...arrow(`${declare} ${helper} = `, parameters, '', style),
      ...indented([...path, ...gateLines(server)], style),
      `}${end}`,
    ];
  }
  const environment = typed ? `environment: Parameters<typeof ${server}>[0]` : 'environment';
  return [
    COMMENT,
    '// This runtime connects and knows its environment in requests only, so they create the payment.',
    ...arrow(`${declare} ${helper} = `, parameters, typed ? `: ${gateType}` : '', style),
    ...indented(
      [
        ...path,
        ...arrow(`${declare} create = `, [environment], '', style),
        ...indented(gateLines(`${server}(environment)`), style),
        `}${end}`,
        `${change} ready${typed ? `: ${gateType} | undefined` : ''}${end}`,
        `return async (c, next) => {`,
        ...indented(
          [
            '// A request cannot wait for the connection of another one.',
            `${declare} gate = ready ?? create(c.env)${end}`,
            `${declare} answer = await gate(c, next)${end}`,
            `ready = gate${end}`,
            `return answer${end}`,
          ],
          style,
        ),
        `}${end}`,
      ],
      style,
    ),
    `}${end}`,
  ];
}

const COMMENT =
  '// The router has matched the route, so its payment is asked for however its path is written.';

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
