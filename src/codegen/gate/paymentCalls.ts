import { ts } from 'ts-morph';
import { type Bindings, constantObject, importedFrom, staticText } from '../source/bindings.ts';
import { bare, propertyName, walk } from '../source/syntax.ts';

const MIDDLEWARE = /^paymentMiddleware(FromConfig|FromHTTPServer)?$/;
const WRAPPERS = /^withX402(FromHTTPServer)?$/;
const MODULE = /^(@x402\/|x402-)/;

/** A call that puts a payment before routes, ours or anybody's. */
export interface PaymentCall {
  readonly call: ts.CallExpression;
  /** The Fastify instance that the call names. */
  readonly instance: ts.Expression | undefined;
  /** The map of routes, where it stands in this file. */
  readonly routes: ts.ObjectLiteralExpression | undefined;
}

/** Calls of payment middlewares in a file. */
export function paymentCalls(file: ts.SourceFile, bindings: Bindings): readonly PaymentCall[] {
  const calls: PaymentCall[] = [];
  if (!file.text.includes('paymentMiddleware')) return calls;
  walk(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    const from = importedFrom(node.expression, bindings);
    if (!from || !MODULE.test(from.module) || !MIDDLEWARE.test(from.name)) return;
    const fastify = from.module.includes('fastify');
    const map = node.arguments.find((argument) => constantObject(argument, bindings));
    calls.push({
      call: node,
      instance: fastify ? node.arguments[0] : undefined,
      routes: map && constantObject(map, bindings),
    });
  });
  return calls;
}

/** Whether a handler is wrapped for payment where it is exported. */
export function isWrapped(expression: ts.Expression, bindings: Bindings): boolean {
  const at = bare(expression);
  if (!ts.isCallExpression(at)) return false;
  const from = importedFrom(at.expression, bindings);
  return from !== undefined && MODULE.test(from.module) && WRAPPERS.test(from.name);
}

/** The keys of a map of routes; `undefined` for one that is only known at run time. */
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

/** `GET ${app.prefix}/x` reads as `GET /x`: both sides of a comparison leave the prefix away. */
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
