import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ancestor, findIn, isMethodCall, walk } from '../source/syntax.ts';
import {
  bare,
  constantObject,
  constantValue,
  importedFrom,
  propertyName,
  staticText,
} from '../source/values.ts';
import { type EngineCall, engineCall } from './engineCalls.ts';

const MIDDLEWARE = /^paymentMiddleware(FromConfig|FromHTTPServer)?$/;
const WRAPPERS = /^withX402(FromHTTPServer)?$/;
const MODULE = /^(@x402\/|x402-)/;

/** A call that puts a payment before routes, ours or anyone's. */
export interface PaymentCall {
  readonly call: ts.CallExpression;
  /** The instance that the gate is registered on; `undefined` if it is passed elsewhere. */
  readonly receiver: ts.Expression | undefined;
  /** The single route that the gate is registered for, as the router matches it. */
  readonly attached: AttachedTo | undefined;
  /** The map of routes, if this file contains it. */
  readonly routes: ts.ObjectLiteralExpression | undefined;
}

export interface AttachedTo {
  /** In capitals; `*` for every method. */
  readonly method: string;
  readonly path: ts.Expression;
}

/** Calls of payment middleware in a file. */
export function paymentCalls(file: ts.SourceFile, bindings: Bindings): readonly PaymentCall[] {
  const calls: PaymentCall[] = [];
  if (!/paymentMiddleware|createSeller/.test(file.text)) return calls;
  walk(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    const engine = engineCall(node, bindings);
    if (engine) {
      calls.push({ call: node, ...ofEngine(node, engine) });
      return;
    }
    const from = importedFrom(node.expression, bindings) ?? throughHelper(node, bindings);
    if (!from || !MODULE.test(from.module) || !MIDDLEWARE.test(from.name)) return;
    const map = node.arguments.find((argument) => constantObject(argument, bindings));
    const routes = map && constantObject(map, bindings);
    calls.push({
      call: node,
      routes,
      ...(from.module.includes('fastify')
        ? onInstance(node, bindings)
        : (inChain(node, routes, bindings) ?? onRouter(node))),
    });
  });
  return calls;
}

/** The export that a generated helper calls: `forRoute({ … })`, where `forRoute` returns a payment of @x402/hono. */
function throughHelper(
  { expression }: ts.CallExpression,
  bindings: Bindings,
): ReturnType<typeof importedFrom> {
  if (!ts.isIdentifier(expression)) return undefined;
  const helper = constantValue(expression, bindings);
  if (!helper || !ts.isArrowFunction(helper) || !/\.requiresPayment\b/.test(helper.getText())) {
    return undefined;
  }
  return findIn(helper, (node) => {
    const from = ts.isCallExpression(node) ? importedFrom(node.expression, bindings) : undefined;
    return from && MODULE.test(from.module) && MIDDLEWARE.test(from.name) ? from : undefined;
  });
}

type Where = Pick<PaymentCall, 'receiver' | 'attached'>;

/** `paymentMiddleware(app, …)`, or `paymentMiddleware(forRoute(app, 'GET', '/x'), …)`. */
function onInstance({ arguments: [instance] }: ts.CallExpression, bindings: Bindings): Where {
  const at = instance && bare(instance);
  if (!at || !ts.isCallExpression(at)) return { receiver: instance, attached: undefined };
  const [receiver, verb, path] = at.arguments;
  const method = verb && staticText(verb, bindings);
  return {
    receiver,
    attached: path && method !== undefined ? { method, path } : undefined,
  };
}

/** `app.use(paymentMiddleware(…))`, or `app.get('/x', paymentMiddleware(…))`. */
function onRouter(call: ts.CallExpression): Where {
  const nowhere: Where = { receiver: undefined, attached: undefined };
  const outer = ancestor(call, ts.isCallExpression);
  if (!outer || !ts.isPropertyAccessExpression(outer.expression)) return nowhere;
  const { name, expression: receiver } = outer.expression;
  if (name.text === 'use') return { receiver, attached: undefined };
  const [path, gate] = outer.arguments;
  if (!path || gate !== call || outer.arguments.length !== 2) return nowhere;
  const method = name.text === 'all' ? '*' : name.text.toUpperCase();
  return METHODS.has(method) ? { receiver, attached: { method, path } } : nowhere;
}

/**
 * `app.get('/x', seller.node({ … }))`, or `app.use(seller.node({ … }))` for all that follows. Which routes a `use` with a path
 * charges for is not known.
 */
function ofEngine(
  call: ts.CallExpression,
  { terms }: EngineCall,
): Where & Pick<PaymentCall, 'routes'> {
  const where = onRouter(call);
  if (where.attached) return { ...where, routes: terms };
  const outer = ancestor(call, ts.isCallExpression);
  const isForAll = outer?.arguments.length === 1;
  return {
    receiver: isForAll ? where.receiver : undefined,
    attached: undefined,
    routes: undefined,
  };
}

/** `.use('/x', forRoute({ 'GET /x': … }))` in a chain of Hono, where the key says which method is sold. */
function inChain(
  call: ts.CallExpression,
  routes: ts.ObjectLiteralExpression | undefined,
  bindings: Bindings,
): Where | undefined {
  const outer = ancestor(call, ts.isCallExpression);
  if (!outer || !routes || !isMethodCall(outer) || outer.expression.name.text !== 'use') {
    return undefined;
  }
  const [path, gate, ...more] = outer.arguments;
  const [only, second] = routeKeys(routes, bindings);
  if (!path || gate !== call || more.length > 0 || second || !throughHelper(call, bindings)) {
    return undefined;
  }
  const { name } = only?.property ?? {};
  const key =
    only?.key ?? (name && ts.isComputedPropertyName(name) ? name.expression.getText() : '');
  const [method = ''] = /[A-Z]+|\*/.exec(key) ?? [];
  if (!METHODS.has(method)) return undefined;
  return { receiver: outer.expression.expression, attached: { method, path } };
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', '*']);

/** Whether a single-route gate belongs to a call with this method and path. */
export function isAttachedTo(
  { attached }: PaymentCall,
  method: string,
  path: ts.Expression | undefined,
  bindings: Bindings,
): boolean {
  if (!attached || !path || attached.method !== method) return false;
  const own = staticText(path, bindings);
  return own === undefined
    ? bare(path).getText() === bare(attached.path).getText()
    : own === staticText(attached.path, bindings);
}

/** Whether a handler is wrapped for payment where it is exported. */
export function isWrapped(expression: ts.Expression, bindings: Bindings): boolean {
  const at = bare(expression);
  if (!ts.isCallExpression(at)) return false;
  const from = importedFrom(at.expression, bindings);
  return from !== undefined && MODULE.test(from.module) && WRAPPERS.test(from.name);
}

/** The keys of a map of routes; `undefined` for a map that is known only at run time. */
export function routeKeys(
  routes: ts.ObjectLiteralExpression,
  bindings: Bindings,
): readonly { readonly key: string | undefined; readonly property: ts.ObjectLiteralElementLike }[] {
  return routes.properties.map((property) => ({ key: keyOf(property, bindings), property }));
}

function keyOf(property: ts.ObjectLiteralElementLike, bindings: Bindings): string | undefined {
  const { name } = property;
  if (!name) return undefined;
  if (!ts.isComputedPropertyName(name)) return propertyName(name);
  return staticText(name.expression, bindings) ?? withoutPrefix(name.expression, bindings);
}

/** `GET ${app.prefix}/x` reads as `GET /x`: both sides of a comparison omit the prefix. */
function withoutPrefix(expression: ts.Expression, bindings: Bindings): string | undefined {
  const at = bare(expression);
  if (!ts.isTemplateExpression(at)) return undefined;
  let text = at.head.text;
  for (const { expression: part, literal } of at.templateSpans) {
    const root = ts.isBinaryExpression(part) ? part : undefined;
    const of = bare(root?.left ?? part);
    const prefix = ts.isPropertyAccessExpression(of) && of.name.text === 'prefix';
    const value = prefix
      ? root
        ? staticText(root.right, bindings)
        : ''
      : staticText(part, bindings);
    if (value === undefined) return undefined;
    text += value + literal.text;
  }
  return text;
}
