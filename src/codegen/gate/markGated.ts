import { ts } from 'ts-morph';
import type { FoundRoute } from '../routes/foundRoute.ts';
import { instanceKey } from '../routes/instance.ts';
import { keyCovers } from '../routes/pathPattern.ts';
import type { Route } from '../routes/route.ts';
import type { Bindings } from '../source/bindings.ts';
import { findIn } from '../source/syntax.ts';
import { bare, importedFrom, initializerOf } from '../source/values.ts';
import { type MarkedBlock, markedBlocks } from './markers.ts';
import {
  isAttachedTo,
  isWrapped,
  type PaymentCall,
  paymentCalls,
  routeKeys,
} from './paymentCalls.ts';

/** Marks each route that is already paid, through a marked block or other code. */
export function markGated(
  file: ts.SourceFile,
  routes: readonly FoundRoute[],
  bindings: Bindings,
): readonly FoundRoute[] {
  const blocks = markedBlocks(file.text);
  const calls = paymentCalls(file, bindings);
  return routes.map((route) => {
    const gated = route.registered
      ? registeredGate(route, calls, blocks, bindings)
      : exportedGate(file, route, blocks, bindings);
    return gated ? { ...route, gated } : route;
  });
}

function inside(blocks: readonly MarkedBlock[], node: ts.Node): boolean {
  // Where a node begins without the preceding lines and comments, which anyone might have written.
  const from = node.getStart();
  return blocks.some(({ start, end }) => from >= start && node.end <= end);
}

function registeredGate(
  route: FoundRoute,
  calls: readonly PaymentCall[],
  blocks: readonly MarkedBlock[],
  bindings: Bindings,
): Route['gated'] {
  const { registered } = route;
  if (!registered) return undefined;
  for (const argument of registered.methodCall.arguments) {
    if (argumentTakesPayment(argument, calls, bindings)) return 'code';
  }
  for (const payment of calls) {
    if (payment.call.pos > registered.methodCall.end) continue;
    const { receiver } = payment;
    if (!receiver || instanceKey(receiver, bindings) !== registered.key) continue;
    if (covers(payment, route, bindings)) {
      return inside(blocks, payment.call) ? 'marker' : 'code';
    }
  }
  return undefined;
}

/** Whether a gate on a route's instance requires payment before this route. */
export function covers(payment: PaymentCall, route: FoundRoute, bindings: Bindings): boolean {
  const { method, path, registered } = route;
  if (payment.attached) return isAttachedTo(payment, method, registered?.pathExpression, bindings);
  // A map created elsewhere might contain this route. Refusing is better than charging twice.
  if (!payment.routes) return true;
  return routeKeys(payment.routes, bindings).some(
    ({ key }) => key !== undefined && keyCovers(key, method, path),
  );
}

function argumentTakesPayment(
  argument: ts.Expression,
  calls: readonly PaymentCall[],
  bindings: Bindings,
): boolean {
  const at = bare(argument);
  if (calls.some(({ call }) => call === at)) return true;
  if (!ts.isIdentifier(at)) return false;
  const value = initializerOf(at, bindings);
  return value !== undefined && calls.some(({ call }) => call === bare(value));
}

function exportedGate(
  file: ts.SourceFile,
  route: FoundRoute,
  blocks: readonly MarkedBlock[],
  bindings: Bindings,
): Route['gated'] {
  const statement = file.statements.find(
    (at) => at.getStart(file) <= route.range.start && at.end >= route.range.end,
  );
  if (!statement) return undefined;
  if (inside(blocks, statement)) return 'marker';
  const wrapped = findIn(statement, (node) =>
    ts.isCallExpression(node) && isWrapped(node, bindings) ? node : undefined,
  );
  if (wrapped) return 'code';
  const called =
    route.handlerNode &&
    findIn(route.handlerNode, (node) => {
      if (!ts.isCallExpression(node)) return undefined;
      const from = importedFrom(node.expression, bindings);
      return from?.module === '@x402/next' ? node : undefined;
    });
  return called ? 'code' : undefined;
}
