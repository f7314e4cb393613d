import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { isFunctionNode } from '../source/syntax.ts';
import { bare, importedFrom, property, staticText } from '../source/values.ts';
import type { CallSite } from './callSites.ts';
import { type Evidence, likelyServer, type PackageRole, roleName } from './frameworks.ts';
import { handlerFunction } from './handlerCalls.ts';
import type { Instance } from './instance.ts';
import type { Registering } from './pathPattern.ts';
import { type Refusal, refuse } from './route.ts';

const RECEIVERS =
  /^(app|api|server|router|routes?|fastify|hono|instance|\w*(Router|Routes?|App|Api))$/;

/**
 * Guesses the instance of a call from the frameworks that the file and its manifest use, if no import, type or call in this
 * file identifies it. Parameter names only choose among those frameworks.
 */
export function guess(
  site: CallSite,
  evidence: Evidence,
  bindings: Bindings,
): Instance | Refusal | undefined {
  const path = staticText(site.pathExpression, bindings);
  const last = site.rest.at(-1);
  const handler = last && handlerFunction(last, bindings);
  const hint = (handler && hintOf(handler.parameters)) ?? middlewareHint(site.rest);
  // An empty path is also a key in many other APIs.
  const isPath = path === '' ? hint !== undefined : path?.startsWith('/') !== false || path === '*';
  if (!isPath) return undefined;
  if (isCollection(site.receiver, bindings)) return undefined;
  if (evidence.classes && registersClass(site)) return otherInstance('chanfana');
  const inPlugin = isPluginParameter(site.receiver, bindings) && pointsAtFastify(evidence);
  const handled = handler !== undefined || (pointsAtFastify(evidence) && hasRouteOptions(site));
  if (!inPlugin && !looksLikeRoute(site, path, handled, hint)) return undefined;
  if (bare(site.receiver).kind === ts.SyntaxKind.ThisKeyword) {
    return refuse(
      'layout_not_supported',
      `${site.receiver.getText()}.${site.method.toLowerCase()} is a method of this class, and nothing here shows what it does with the route. Register the route on an app or a router.`,
    );
  }
  if (evidence.said !== undefined) return likely(evidence.said);
  const made = unknownClass(site.receiver, bindings);
  if (made !== undefined) {
    return refuse(
      'framework_unknown',
      `${site.receiver.getText()} is made by ${made}, and nothing here shows of which framework that is.`,
    );
  }
  const server = likelyServer(evidence);
  if (evidence.drives && evidence.file.length === 0) return undefined;
  if (isRole(server)) {
    return server.kind === 'sold' ? likely(server.framework) : otherInstance(roleName(server));
  }
  if (server === undefined) {
    // Without a server framework in the manifest, these calls belong to something else.
    if (evidence.manifest !== undefined) return undefined;
    if (hint === 'koa') return undefined;
    const lone = handler !== undefined && handler.parameters.length <= 1 ? 'fastify' : 'express';
    return likely(hint ?? namedAfter(site) ?? lone);
  }
  const named = namedAfter(site);
  if (named && server.some((role) => role.kind === 'sold' && role.framework === named)) {
    return likely(named);
  }
  const names = server.map(roleName).join(' and ');
  return refuse(
    'framework_unknown',
    `This project uses ${names}, and nothing in this file shows which of them the route belongs to.`,
  );
}

/** The class of a variable that another file has, and that is of no known framework. */
function unknownClass(receiver: ts.Expression, bindings: Bindings): string | undefined {
  const at = bare(receiver);
  const binding = ts.isIdentifier(at) ? bindings.of(at) : undefined;
  const value = binding?.kind === 'variable' ? binding.declaration.initializer : undefined;
  const made = value && bare(value);
  if (!made || !ts.isNewExpression(made)) return undefined;
  return importedFrom(made.expression, bindings) ? made.expression.getText() : undefined;
}

const COLLECTIONS = new Set(['Map', 'WeakMap', 'URLSearchParams', 'Headers', 'FormData']);

/** A constant with one of the language's built-in collections, whatever its name. */
function isCollection(receiver: ts.Expression, bindings: Bindings): boolean {
  const at = bare(receiver);
  const binding = ts.isIdentifier(at) ? bindings.of(at) : undefined;
  const value = binding?.kind === 'variable' ? binding.declaration.initializer : undefined;
  const made = value && bare(value);
  return (
    made !== undefined &&
    ts.isNewExpression(made) &&
    ts.isIdentifier(made.expression) &&
    COLLECTIONS.has(made.expression.text) &&
    bindings.of(made.expression) === undefined
  );
}

/** `openapi.post('/users', UserCreate)` of chanfana, where another file made `openapi`. */
function registersClass({ receiver, rest }: CallSite): boolean {
  const [last, ...others] = rest;
  return (
    /openapi$/i.test(bare(receiver).getText()) &&
    others.length === 0 &&
    last !== undefined &&
    ts.isIdentifier(last) &&
    /^[A-Z]/.test(last.text)
  );
}

/** `v1` of `app.register(async (v1) => …)`, whatever its name. */
function isPluginParameter(receiver: ts.Expression, bindings: Bindings): boolean {
  const at = bare(receiver);
  const binding = ts.isIdentifier(at) ? bindings.of(at) : undefined;
  if (binding?.kind !== 'parameter') return false;
  const plugin = binding.declaration.parent;
  const call = plugin.parent;
  return (
    isFunctionNode(plugin) &&
    plugin.parameters[0] === binding.declaration &&
    ts.isCallExpression(call) &&
    call.arguments[0] === plugin &&
    ts.isPropertyAccessExpression(call.expression) &&
    call.expression.name.text === 'register'
  );
}

function pointsAtFastify(evidence: Evidence): boolean {
  const server = likelyServer(evidence);
  return isRole(server) && server.kind === 'sold' && server.framework === 'fastify';
}

/** Returns whether a call on an unknown object has features of a route that an HTTP client's call lacks. */
function looksLikeRoute(
  site: CallSite,
  path: string | undefined,
  handled: boolean,
  hint: Registering | 'koa' | undefined,
): boolean {
  if (hint !== undefined) return true;
  const receiver = bare(site.receiver);
  const name = ts.isPropertyAccessExpression(receiver) ? receiver.name.text : receiver.getText();
  if (!RECEIVERS.test(name)) return false;
  const isClient = /api|client|http/i.test(name);
  if (path === undefined && (isClient || !beginsLikePath(site.pathExpression))) return false;
  if (handled && path !== undefined) return true;
  // Clients take bodies and options; only routers take functions by name.
  return !isClient && site.rest.every(namesFunctions);
}

/** `/x/${name}` as a template, or a regular expression that begins with a slash. */
function beginsLikePath(expression: ts.Expression): boolean {
  const at = bare(expression);
  if (ts.isTemplateExpression(at)) return at.head.text.startsWith('/');
  return ts.isRegularExpressionLiteral(at) && /^\/\^?\\\//.test(at.text);
}

/** The options of a route (Fastify 5: Routes, Shorthand declaration), and of Fastify's own plugins. */
const ROUTE_OPTIONS = new Set([
  ...['schema', 'config', 'constraints', 'handler', 'errorHandler', 'websocket', 'wsHandler'],
  ...['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend'],
  ...['onResponse', 'onTimeout', 'onError', 'onRequestAbort', 'attachValidation', 'bodyLimit'],
  ...['handlerTimeout', 'logLevel', 'logSerializers', 'prefixTrailingSlash', 'exposeHeadRoute'],
  ...['validatorCompiler', 'serializerCompiler', 'schemaErrorFormatter', 'childLoggerFactory'],
]);

/** `fastify.get('/', { schema, preHandler }, users.list)`, or the handler among the options. */
function hasRouteOptions({ receiver, rest }: CallSite): boolean {
  const [options, handler, ...others] = rest;
  if (!options || others.length > 0 || /api|client|http/i.test(bare(receiver).getText())) {
    return false;
  }
  const at = bare(options);
  if (!ts.isObjectLiteralExpression(at)) return false;
  const names = at.properties.map((each) => each.name?.getText());
  const known = names.filter((name) => name !== undefined && ROUTE_OPTIONS.has(name));
  return (
    known.length > 0 &&
    names.every((name) => name === undefined || ROUTE_OPTIONS.has(name)) &&
    (handler ? namesFunctions(handler) : names.includes('handler'))
  );
}

/** Returns whether an argument can be a function, or a list of functions such as `[auth.verify, limit(3)]`. */
function namesFunctions(argument: ts.Expression): boolean {
  const at = bare(argument);
  if (ts.isArrayLiteralExpression(at)) {
    return at.elements.length > 0 && at.elements.every(namesFunctions);
  }
  if (ts.isSpreadElement(at)) return namesFunctions(at.expression);
  return (
    isFunctionNode(at) ||
    ts.isIdentifier(at) ||
    ts.isPropertyAccessExpression(at) ||
    ts.isCallExpression(at)
  );
}

/** Returns the frameworks for which a handler's parameter names are common. */
function hintOf(parameters: readonly ts.ParameterDeclaration[]): Registering | 'koa' | undefined {
  const [first = '', second = ''] = parameters.map(({ name }) => name.getText());
  if (/^_*(reply|rep)$/.test(second)) return 'fastify';
  if (/^_*(res|response)$/.test(second) && /^(_*(req|request)|_+|\{[\s\S]*)$/.test(first)) {
    return 'express';
  }
  if (first === 'ctx') return 'koa';
  return first === 'c' ? 'hono' : undefined;
}

/** `(req, res, next) => next()` before the handler, by itself or if nothing else is enabled. */
function middlewareHint(rest: readonly ts.Expression[]): 'express' | undefined {
  return rest.slice(0, -1).some(isMiddleware) ? 'express' : undefined;
}

function isMiddleware(argument: ts.Expression): boolean {
  const at = bare(argument);
  if (ts.isConditionalExpression(at)) return [at.whenTrue, at.whenFalse].some(isMiddleware);
  if (!isFunctionNode(at) || at.parameters.length !== 3) return false;
  const next = at.parameters[2]?.name.getText() ?? '';
  return hintOf(at.parameters) === 'express' && /^_*next$/.test(next);
}

function namedAfter({ receiver }: CallSite): Registering | undefined {
  const name = bare(receiver).getText();
  if (/fastify|^instance$/i.test(name)) return 'fastify';
  return /hono/i.test(name) ? 'hono' : undefined;
}

/** Evaluates `x.route({ method, url })` on an unknown `x`: controllers also have such methods. */
export function guessFull(
  receiver: ts.Expression,
  options: ts.ObjectLiteralExpression,
  evidence: Evidence,
): Instance | undefined {
  if (bare(receiver).kind === ts.SyntaxKind.ThisKeyword) return undefined;
  if (!property(options, 'url') && evidence.said !== 'fastify') {
    const server = likelyServer(evidence);
    if (isRole(server) && server.kind === 'other') return otherInstance(server.name);
    // hapi calls it `path`, a name that Fastify also accepts.
    return pointsAtFastify(evidence) ? likely('fastify') : undefined;
  }
  if (evidence.said !== undefined) return likely(evidence.said);
  const server = likelyServer(evidence);
  if (isRole(server)) {
    return server.kind === 'sold' ? likely(server.framework) : otherInstance(roleName(server));
  }
  // Only Fastify has this form, so its absence from the manifest counts against it.
  const fastify = server?.some((role) => role.kind === 'sold' && role.framework === 'fastify');
  return fastify || (server === undefined && evidence.manifest === undefined)
    ? likely('fastify')
    : undefined;
}

function isRole(value: ReturnType<typeof likelyServer>): value is PackageRole {
  return value !== undefined && 'kind' in value;
}

function likely(framework: Registering): Instance {
  return { framework, origin: 'given', confidence: 'likely' };
}

function otherInstance(name: string): Instance {
  return { framework: 'other', name, origin: 'given', confidence: 'likely' };
}
