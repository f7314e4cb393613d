import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { isMethodCall, type MethodCall, walk } from '../source/syntax.ts';
import { bare, initializerOf } from '../source/values.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all']);

/** A call that looks like a route: `receiver.method(path, …)`, or the same behind `.route(path)`. */
export interface CallSite {
  readonly receiver: ts.Expression;
  readonly method: string;
  readonly pathExpression: ts.Expression;
  readonly call: ts.CallExpression;
  readonly methodCall: ts.CallExpression;
  /** The arguments after the path. */
  readonly rest: readonly ts.Expression[];
}

/** All member calls in a file, collected in one pass that serves every question about calls. */
export function methodCalls(file: ts.SourceFile): readonly MethodCall[] {
  const calls: MethodCall[] = [];
  walk(file, (node) => {
    if (isMethodCall(node)) calls.push(node);
  });
  return calls;
}

/** The calls in the form of a route. The receiver decides whether they are routes. */
export function callSites(calls: readonly MethodCall[], bindings: Bindings): readonly CallSite[] {
  const sites = calls.flatMap((call) => {
    const method = call.expression.name.text;
    if (!METHODS.has(method)) return [];
    const site = chainedRoute(call, method, bindings) ?? directRoute(call, method);
    return site ? [site] : [];
  });
  // A chain yields its calls from the last to the first.
  return sites.sort((a, b) => methodStart(a) - methodStart(b));
}

function methodStart({ methodCall }: CallSite): number {
  return ts.isPropertyAccessExpression(methodCall.expression)
    ? methodCall.expression.name.pos
    : methodCall.pos;
}

function directRoute(methodCall: ts.CallExpression, method: string): CallSite | undefined {
  const [pathExpression, ...rest] = methodCall.arguments;
  if (!pathExpression || rest.length === 0) return undefined;
  const receiver = rootReceiver(methodCall.expression);
  return { receiver, method, pathExpression, call: methodCall, methodCall, rest };
}

/** `app.route('/x').get(a).post(b)`, also with the route in a constant. */
function chainedRoute(
  methodCall: ts.CallExpression,
  method: string,
  bindings: Bindings,
): CallSite | undefined {
  if (!ts.isPropertyAccessExpression(methodCall.expression)) return undefined;
  let at: ts.Expression = bare(methodCall.expression.expression);
  for (;;) {
    if (ts.isIdentifier(at)) {
      const value = initializerOf(at, bindings);
      if (!value || !ts.isCallExpression(bare(value))) return undefined;
      at = bare(value);
    }
    if (!ts.isCallExpression(at) || !ts.isPropertyAccessExpression(at.expression)) return undefined;
    const [path] = at.arguments;
    if (at.expression.name.text === 'route' && at.arguments.length === 1 && path) {
      if (ts.isObjectLiteralExpression(bare(path))) return undefined;
      return {
        receiver: rootReceiver(at.expression),
        method,
        pathExpression: path,
        call: at,
        methodCall,
        rest: methodCall.arguments,
      };
    }
    at = bare(at.expression.expression);
  }
}

/** The start of a chain of calls: `app` of `app.get(…).get(…)`. */
export function rootReceiver(callee: ts.Expression): ts.Expression {
  let at = callee;
  for (;;) {
    if (ts.isPropertyAccessExpression(at)) at = bare(at.expression);
    if (!ts.isCallExpression(at) || !ts.isPropertyAccessExpression(at.expression)) return at;
    const { name } = at.expression;
    // app.get(…).get(…) continues to app; express.Router().get(…) begins with the call.
    if (!METHODS.has(name.text) && name.text !== 'use' && name.text !== 'route') return at;
    at = at.expression;
  }
}
