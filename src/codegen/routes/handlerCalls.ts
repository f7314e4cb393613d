import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { type FunctionNode, isFunctionNode } from '../source/syntax.ts';
import { bare, initializerOf } from '../source/values.ts';

/**
 * Returns the function that handles requests, resolving wrappers such as `asyncHandler(fn)` and `withAuth(fn)` and names in
 * this file.
 */
export function handlerFunction(
  expression: ts.Expression,
  bindings: Bindings,
  depth = 0,
): FunctionNode | undefined {
  const at = bare(expression);
  if (isFunctionNode(at)) return at;
  if (depth > 4) return undefined;
  if (ts.isCallExpression(at)) {
    // A wrapper takes the handler as an argument: the last function passed to it.
    for (const argument of [...at.arguments].reverse()) {
      const found = handlerFunction(argument, bindings, depth + 1);
      if (found) return found;
    }
    // handler.bind(this)
    if (ts.isPropertyAccessExpression(at.expression) && at.expression.name.text === 'bind') {
      return handlerFunction(at.expression.expression, bindings, depth + 1);
    }
    return undefined;
  }
  if (ts.isArrayLiteralExpression(at)) {
    const last = at.elements.at(-1);
    return last && handlerFunction(last, bindings, depth + 1);
  }
  // ...factory.createHandlers(limit, fn)
  if (ts.isSpreadElement(at)) return handlerFunction(at.expression, bindings, depth + 1);
  if (!ts.isIdentifier(at)) return undefined;
  const binding = bindings.of(at);
  if (binding?.kind === 'function') return binding.declaration;
  const value = initializerOf(at, bindings);
  return value && handlerFunction(value, bindings, depth + 1);
}
