import type { ts } from 'ts-morph';
import type { FunctionNode } from '../source/syntax.ts';
import type { PathReading, Registering } from './pathPattern.ts';
import type { Route } from './route.ts';

/** A route with the syntax nodes that a change needs. They are internal to this folder's callers. */
export interface FoundRoute extends Route {
  readonly handlerNode: FunctionNode | undefined;
  readonly registered: Registration | undefined;
  readonly exported: ExportedHandler | undefined;
}

/** A route that is registered by a call on an instance. */
export interface Registration {
  readonly framework: Registering;
  /** Whether the instance was created here, or passed in. */
  readonly origin: 'made' | 'given';
  /** Distinguishes the instances of a file; `undefined` for one without a name. */
  readonly key: string | undefined;
  readonly reading: PathReading;
  /** The expression in front of the method. */
  readonly receiver: ts.Expression;
  /** The instance itself: `app` of `app.withTypeProvider<T>()`. */
  readonly owner: ts.Expression;
  /** The call that creates the route; the gate must come before it. */
  readonly call: ts.CallExpression;
  /** The method call with the handlers: the same call, except for `.route(path).get(handler)`. */
  readonly methodCall: ts.CallExpression;
  readonly pathExpression: ts.Expression | undefined;
  /** Options of Fastify: `schema` and others. */
  readonly options: ts.ObjectLiteralExpression | undefined;
}

/** A handler that a Next.js route file exports. */
export interface ExportedHandler {
  readonly form: 'function' | 'const' | 'list' | 'from' | 'pattern';
  /** The exported function, the variable statement or the export list. */
  readonly statement: ts.Statement;
  /** The name that gets the suffix `_impl`, or the local name of an export list. */
  readonly name: ts.ModuleExportName;
  /** The member of a list or pattern that exports several names. */
  readonly member?: ts.ExportSpecifier | ts.BindingElement;
}

/** Returns a route without its syntax nodes, for callers. */
export function publicRoute({
  handlerNode: _handler,
  registered: _registered,
  exported: _exported,
  ...route
}: FoundRoute): Route {
  return route;
}
