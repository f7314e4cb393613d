import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { bare, constantObject, importedFrom, initializerOf } from '../source/values.ts';

/** The module of our own seller engine, and the function of it that generated code calls. */
export const ENGINE_MODULE = 'svc-x402/seller';
export const ENGINE_EXPORT = 'createSeller';

/** The methods of a seller that return middleware, and the framework of each. */
const MIDDLEWARE = { node: 'express', hono: 'hono' } as const;

/** A call of a seller that returns middleware: `seller.node({ price: '0.01' })`. */
export interface EngineCall {
  readonly framework: (typeof MIDDLEWARE)[keyof typeof MIDDLEWARE];
  /** The terms, if this file contains them. */
  readonly terms: ts.ObjectLiteralExpression | undefined;
}

/** Whether an expression makes a seller: `createSeller({ … })`. */
export function makesSeller(value: ts.Expression | undefined, bindings: Bindings): boolean {
  const at = value && bare(value);
  if (!at || !ts.isCallExpression(at)) return false;
  const from = importedFrom(at.expression, bindings);
  return from?.module === ENGINE_MODULE && from.name === ENGINE_EXPORT;
}

/** Reads a call of a seller's middleware; `undefined` for any other call. */
export function engineCall(call: ts.CallExpression, bindings: Bindings): EngineCall | undefined {
  const { expression } = call;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const name = expression.name.text;
  if (name !== 'node' && name !== 'hono') return undefined;
  const seller = bare(expression.expression);
  if (!ts.isIdentifier(seller) || !makesSeller(initializerOf(seller, bindings), bindings)) {
    return undefined;
  }
  const [given] = call.arguments;
  return {
    framework: MIDDLEWARE[name],
    terms: given && constantObject(given, bindings),
  };
}
