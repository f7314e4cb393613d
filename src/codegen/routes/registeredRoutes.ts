import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import type { MethodCall } from '../source/syntax.ts';
import {
  bare,
  constantObject,
  initializerOf,
  isPlainName,
  memberValue,
  property,
  propertyName,
  staticText,
} from '../source/values.ts';
import { type CallSite, callSites, methodCalls, rootReceiver } from './callSites.ts';
import type { FoundRoute, Registration } from './foundRoute.ts';
import { type Evidence, likelyServer } from './frameworks.ts';
import { guess, guessFull } from './guessInstance.ts';
import { handlerFunction } from './handlerCalls.ts';
import { type Instance, instanceKey, instanceOf } from './instance.ts';
import { joined, Mounts, type OutsideMounts } from './mounts.ts';
import {
  isRefusal,
  type PathReading,
  type Registering,
  type RoutePath,
  readPath,
} from './pathPattern.ts';
import { type Refusal, refuse, SELL_BY_PROXY } from './route.ts';
import { tableRoutes } from './tableRoutes.ts';

const SELLABLE = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', '*']);

/** Routes of Express, Fastify and Hono, registered by calls on an app, a router or an instance. */
export function registeredRoutes(
  file: ts.SourceFile,
  bindings: Bindings,
  evidence: Evidence,
  outside: OutsideMounts = {},
): readonly FoundRoute[] {
  const mounts = new Mounts(file, bindings, outside);
  return ofOneFramework(unmounted(file, bindings, evidence)).map((route) => {
    const { registered } = route;
    const mount = registered?.framework === 'hono' ? mounts.of(registered.owner) : '';
    return mount === '' ? route : { ...route, mounted: joined(mount, route.path) };
  });
}

/** Refuses guessed routes of one variable of which some look like those of another framework. */
function ofOneFramework(routes: readonly FoundRoute[]): readonly FoundRoute[] {
  return routes.map((route) => {
    const key = route.registered?.key;
    if (key === undefined || route.confidence === 'certain' || route.refusal) return route;
    const other = routes.find(
      ({ registered, framework }) => registered?.key === key && framework !== route.framework,
    );
    const message = `Nothing in this file shows whether ${route.registered?.owner.getText()} is of ${route.framework} or ${other?.framework}: its routes look like both.`;
    return other ? { ...route, refusal: refuse('framework_unknown', message) } : route;
  });
}

function unmounted(
  file: ts.SourceFile,
  bindings: Bindings,
  evidence: Evidence,
): readonly FoundRoute[] {
  const calls = methodCalls(file);
  const shorthand = callSites(calls, bindings).flatMap((site) => {
    const known = instanceOf(site.receiver, bindings);
    const instance =
      known && (evidence.said === undefined || known.framework !== 'other')
        ? known
        : guess(site, evidence, bindings);
    if (!instance) return [];
    if (isRefusal(instance)) return doubtfulRoute(site, instance, bindings);
    if (instance.framework === 'client') return [];
    return [shorthandRoute(site, instance, bindings)];
  });
  return [
    ...toldApartByRouter([...shorthand, ...fullRoutes(calls, bindings, evidence)]),
    ...describedRoutes(calls, bindings, evidence),
    ...namedMethodRoutes(calls, bindings, evidence),
    ...tableRoutes(file, bindings, evidence),
  ];
}

/**
 * Refuses routes of Fastify that its router tells apart by more than method and path: the host, a version or a constraint of the
 * project's own. A payment knows the route by method and path only, and would charge for the others, too.
 */
function toldApartByRouter(routes: readonly FoundRoute[]): readonly FoundRoute[] {
  const named = (route: FoundRoute) =>
    `${route.registered?.key} ${route.method} ${route.path} ${route.registered?.pathExpression?.getText()}`;
  const fastify = routes.filter(({ framework }) => framework === 'fastify');
  return routes.map((route) => {
    if (route.framework !== 'fastify' || route.refusal) return route;
    const same = fastify.filter((other) => named(other) === named(route));
    const constrained = same.some(({ registered: of }) => of?.options && isConstrained(of.options));
    const unread = same.length > 1 && same.some(({ registered: of }) => of && hasUnread(of));
    if (!constrained && !unread) return route;
    const why = constrained
      ? 'by a host, a version or another constraint'
      : 'by something that this file does not show';
    return {
      ...route,
      refusal: refuse(
        'path_not_supported',
        `Fastify chooses among routes of ${route.method} ${route.path} ${why}, and a payment knows only method and path. Give the endpoint that is sold a path of its own.`,
      ),
    };
  });
}

function isConstrained(options: ts.ObjectLiteralExpression): boolean {
  return options.properties.some((each) =>
    ['constraints', 'version'].includes((each.name && propertyName(each.name)) ?? ''),
  );
}

/** Whether a route has options that this file does not show, in which a constraint may be. */
function hasUnread({ options, methodCall }: Registration): boolean {
  return options ? options.properties.some(ts.isSpreadAssignment) : methodCall.arguments.length > 2;
}

/** A call in the form of a route whose server cannot be determined. */
function doubtfulRoute(
  site: CallSite,
  refusal: Refusal,
  bindings: Bindings,
): readonly FoundRoute[] {
  const doubtful: Instance = { framework: 'other', origin: 'given', confidence: 'likely' };
  return [{ ...shorthandRoute(site, doubtful, bindings), refusal }];
}

function shorthandRoute(site: CallSite, instance: Instance, bindings: Bindings): FoundRoute {
  const { framework } = instance;
  const last = site.rest.at(-1);
  const options =
    framework === 'fastify' && site.rest[0] ? constantObject(site.rest[0], bindings) : undefined;
  const handler = (last && handlerFunction(last, bindings)) ?? optionHandler(options, bindings);
  return registered({
    instance,
    site: {
      receiver: site.receiver,
      call: site.call,
      methodCall: site.methodCall,
      pathExpression: site.pathExpression,
      options,
    },
    method: site.method === 'all' ? '*' : site.method.toUpperCase(),
    handler,
    bindings,
  });
}

interface Parts {
  readonly instance: Instance;
  readonly site: Omit<Registration, 'framework' | 'origin' | 'key' | 'reading' | 'owner'>;
  readonly method: string;
  readonly handler: ReturnType<typeof handlerFunction>;
  readonly bindings: Bindings;
  readonly refusal?: Refusal | undefined;
}

function registered({ instance, site, method, handler, bindings, refusal }: Parts): FoundRoute {
  const { pathExpression, methodCall } = site;
  const { framework } = instance;
  const sold = framework === 'other' || framework === 'client' ? undefined : framework;
  const path = pathOf(pathExpression, sold ?? 'express', bindings);
  const file = methodCall.getSourceFile();
  const owner = ownerOf(site.receiver);
  return {
    framework: sold ?? 'other',
    method,
    path: isRefusal(path) ? (pathExpression?.getText(file) ?? '') : path.path,
    params: isRefusal(path) ? [] : path.params,
    range: routeRange(methodCall),
    call: { start: site.call.getStart(file), end: methodCall.end },
    handler: handler && { start: handler.getStart(file), end: handler.end },
    gated: undefined,
    confidence: instance.confidence,
    refusal:
      refusal ??
      (sold ? unsellable(method, sold) : withoutAdapter(instance)) ??
      (isRefusal(path) ? path : undefined),
    handlerNode: handler,
    registered: sold && {
      ...site,
      framework: sold,
      origin: instance.origin,
      owner,
      key: instanceKey(owner, bindings),
      reading: isRefusal(path) ? 'router' : readingIn(file, path.reading),
    },
    exported: undefined,
  };
}

/** If the file makes the router distinguish more than the middleware does, only the router reads a plain path exactly. */
function readingIn(file: ts.SourceFile, reading: PathReading): PathReading {
  return reading === 'same' && tellsApart(file) ? 'part' : reading;
}

/** Files already searched, because a file can contain hundreds of routes. */
const toldApart = new WeakMap<ts.SourceFile, boolean>();

/** Whether a file makes Express distinguish upper and lower case, or paths with and without a trailing slash. */
function tellsApart(file: ts.SourceFile): boolean {
  const known = toldApart.get(file);
  if (known !== undefined) return known;
  const found = /case sensitive routing|strict routing|caseSensitive|\bstrict\s*:\s*true/.test(
    file.text,
  );
  toldApart.set(file, found);
  return found;
}

/** `app` of `app.withTypeProvider<T>()`, which returns the same instance with another type. */
function ownerOf(receiver: ts.Expression): ts.Expression {
  const at = bare(receiver);
  return ts.isCallExpression(at) &&
    ts.isPropertyAccessExpression(at.expression) &&
    at.expression.name.text === 'withTypeProvider'
    ? ownerOf(at.expression.expression)
    : at;
}

function withoutAdapter({ name = 'another server' }: Instance): Refusal {
  return refuse(
    'framework_not_supported',
    `This is a route of ${name}. No x402 payment adapter for ${name} is published. ${SELL_BY_PROXY}`,
  );
}

function unsellable(method: string, framework: Registering): Refusal | undefined {
  if (method === '*' && framework === 'fastify') {
    return refuse(
      'several_methods',
      'This route answers every method, HEAD and preflight requests included, and Fastify lets nothing else answer those. Register the method that is sold by itself.',
    );
  }
  return SELLABLE.has(method)
    ? undefined
    : refuse('method_not_sellable', `${method} requests return no content that could be sold.`);
}

/** The path of a route, from a text in this file or from the form of its expression. */
function pathOf(
  expression: ts.Expression | undefined,
  framework: Registering,
  bindings: Bindings,
): RoutePath | Refusal {
  const at = expression && bare(expression);
  if (!at) return refuse('path_not_static', 'This route has no path.');
  const text = staticText(at, bindings);
  if (text !== undefined) return readPath(text, framework);
  const byRouter: RoutePath = { path: at.getText(), params: [], reading: 'router' };
  if (ts.isRegularExpressionLiteral(at)) {
    return /[gy]/.test(flagsOf(at))
      ? refuse(
          'path_not_supported',
          'A regular expression with the flag g or y matches every other request only. Remove the flag first.',
        )
      : byRouter;
  }
  // The router gets the same expression a second time, so it must mean the same both times.
  if (ts.isArrayLiteralExpression(at) && at.elements.every((each) => steady(each, bindings))) {
    return byRouter;
  }
  if (isPlainName(at) || joinsNames(at, bindings)) return byRouter;
  return refuse(
    'path_not_static',
    'The path of this route is computed where the route is registered. Assign it to a `const` first.',
  );
}

/** `${this.path}/newest` and `base + '/newest'`: texts and names, without calls. */
function joinsNames(at: ts.Expression, bindings: Bindings): boolean {
  if (ts.isTemplateExpression(at)) {
    return at.templateSpans.every(({ expression }) => steady(expression, bindings));
  }
  return (
    ts.isBinaryExpression(at) &&
    at.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    [at.left, at.right].every((each) => steady(each, bindings) || joinsNames(bare(each), bindings))
  );
}

function flagsOf({ text }: ts.RegularExpressionLiteral): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

function steady(expression: ts.Expression, bindings: Bindings): boolean {
  const at = bare(expression);
  if (ts.isRegularExpressionLiteral(at)) return !/[gy]/.test(flagsOf(at));
  return staticText(at, bindings) !== undefined || isPlainName(at);
}

/** In a chain, the part of this method; otherwise the entire call. */
function routeRange(call: ts.CallExpression): { start: number; end: number } {
  const callee = call.expression;
  const chained =
    ts.isPropertyAccessExpression(callee) && ts.isCallExpression(bare(callee.expression));
  return {
    start: chained ? callee.name.getStart() - 1 : call.getStart(),
    end: call.end,
  };
}

/** `app.openapi(createRoute({ method, path, … }), handler)` of `@hono/zod-openapi`: its gate would need the description. */
function describedRoutes(
  calls: readonly MethodCall[],
  bindings: Bindings,
  evidence: Evidence,
): readonly FoundRoute[] {
  if (!isHono(evidence)) return [];
  return calls.flatMap((node): readonly FoundRoute[] => {
    const [described, handled] = node.arguments;
    if (node.expression.name.text !== 'openapi' || !described || !handled) return [];
    // Schemas have a method with that name, which takes a name or a description.
    if (ts.isStringLiteralLike(described) || ts.isObjectLiteralExpression(described)) return [];
    const description = descriptionOf(described, bindings);
    const method = description && property(description, 'method');
    const [name] = method ? methodNames(method, bindings) : [];
    const path = description && property(description, 'path');
    const message =
      'This route is registered with openapi(), whose description has its path. Put paymentMiddleware of @x402/hono into the `middleware` of the description.';
    const route = registered({
      instance: { framework: 'hono', origin: 'given', confidence: 'likely' },
      site: {
        receiver: node.expression.expression,
        call: node,
        methodCall: node,
        pathExpression: path ?? described,
        options: undefined,
      },
      method: name ?? '*',
      handler: handlerFunction(handled, bindings),
      bindings,
      refusal: refuse('layout_not_supported', message),
    });
    return [{ ...route, range: { start: node.expression.name.getStart() - 1, end: node.end } }];
  });
}

/** `app.on(['GET', 'POST'], '/x', handler)` of Hono, where the methods are an argument. */
function namedMethodRoutes(
  calls: readonly MethodCall[],
  bindings: Bindings,
  evidence: Evidence,
): readonly FoundRoute[] {
  return calls.flatMap((node): readonly FoundRoute[] => {
    const [named, pathExpression] = node.arguments;
    const last = node.arguments.at(-1);
    if (node.expression.name.text !== 'on' || node.arguments.length < 3) return [];
    if (!named || !pathExpression || !last) return [];
    const methods = methodNames(named, bindings).map((name) => (name === 'ALL' ? '*' : name));
    const receiver = rootReceiver(node.expression);
    const known = instanceOf(receiver, bindings);
    if (known ? known.framework !== 'hono' : !(isHono(evidence) && areMethods(methods))) return [];
    const route = registered({
      instance: known ?? { framework: 'hono', origin: 'given', confidence: 'likely' },
      site: { receiver, call: node, methodCall: node, pathExpression, options: undefined },
      method: methods.length === 1 && methods[0] ? methods[0] : '*',
      handler: handlerFunction(last, bindings),
      bindings,
      refusal: refusalOfNamed(methods),
    });
    return [{ ...route, range: { start: node.expression.name.getStart() - 1, end: node.end } }];
  });
}

/** Event emitters also have a method `on`, but none of their events is named like an HTTP method. */
function areMethods(names: readonly string[]): boolean {
  return (
    names.length > 0 &&
    names.every((name) => SELLABLE.has(name) || name === 'HEAD' || name === 'OPTIONS')
  );
}

function refusalOfNamed(methods: readonly string[]): Refusal | undefined {
  const [only] = methods;
  if (methods.length !== 1 || only === undefined) {
    const which = methods.length === 0 ? 'the methods of a list' : methods.join(' and ');
    return refuse(
      'several_methods',
      `This route answers ${which}. Register the method that is sold by itself.`,
    );
  }
  return SELLABLE.has(only)
    ? refuse(
        'layout_not_supported',
        `This route is registered with on(). Register it with ${only === '*' ? 'all' : only.toLowerCase()}() first.`,
      )
    : undefined;
}

function isHono(evidence: Evidence): boolean {
  const server = likelyServer(evidence);
  return (
    server !== undefined &&
    'kind' in server &&
    server.kind === 'sold' &&
    server.framework === 'hono'
  );
}

/** The object passed to `createRoute({…})`, here or in a constant. */
function descriptionOf(
  expression: ts.Expression,
  bindings: Bindings,
): ts.ObjectLiteralExpression | undefined {
  const at = bare(expression);
  const value = ts.isIdentifier(at) ? initializerOf(at, bindings) : at;
  const made = value && bare(value);
  const [argument] = made && ts.isCallExpression(made) ? made.arguments : [];
  return argument && constantObject(argument, bindings);
}

/** `fastify.route({ method, url, handler, schema })`. */
function fullRoutes(
  calls: readonly MethodCall[],
  bindings: Bindings,
  evidence: Evidence,
): readonly FoundRoute[] {
  return calls.flatMap((node): readonly FoundRoute[] => {
    if (node.expression.name.text !== 'route' || node.arguments.length !== 1) return [];
    const [argument] = node.arguments;
    const options = argument && constantObject(argument, bindings);
    const method = options && property(options, 'method');
    if (!options || !method) return [];
    const pathExpression = property(options, 'url') ?? property(options, 'path');
    const receiver = node.expression.expression;
    const instance = instanceOf(receiver, bindings) ?? guessFull(receiver, options, evidence);
    if (!instance || instance.framework === 'express' || instance.framework === 'client') return [];
    const methods = methodNames(method, bindings);
    return [
      registered({
        instance,
        site: { receiver, call: node, methodCall: node, pathExpression, options },
        method: methods.length === 1 && methods[0] ? methods[0] : '*',
        handler: optionHandler(options, bindings),
        bindings,
        ...(methods.length > 1
          ? {
              refusal: refuse(
                'several_methods',
                `This route answers ${methods.join(' and ')}. Register the method that is sold by itself.`,
              ),
            }
          : {}),
      }),
    ];
  });
}

function methodNames(expression: ts.Expression, bindings: Bindings): readonly string[] {
  const given = bare(expression);
  const value = ts.isIdentifier(given) ? initializerOf(given, bindings) : undefined;
  const at = value ? bare(value) : given;
  const texts = ts.isArrayLiteralExpression(at)
    ? at.elements.map((element) => staticText(element, bindings))
    : [staticText(at, bindings)];
  return texts.flatMap((text) => (text === undefined ? [] : [text.toUpperCase()]));
}

function optionHandler(
  options: ts.ObjectLiteralExpression | undefined,
  bindings: Bindings,
): ReturnType<typeof handlerFunction> {
  if (!options) return undefined;
  for (const member of options.properties) {
    if (member.name?.getText() !== 'handler') continue;
    if (ts.isMethodDeclaration(member)) return member;
    const value = memberValue(member);
    if (value) return handlerFunction(value, bindings);
  }
  return undefined;
}
