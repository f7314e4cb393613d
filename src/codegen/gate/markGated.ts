import { ts } from 'ts-morph';
import type { FoundRoute } from '../routes/foundRoute.ts';
import { instanceKey } from '../routes/instance.ts';
import { keyCovers } from '../routes/pathPattern.ts';
import type { Route } from '../routes/route.ts';
import { type Bindings, importedFrom } from '../source/bindings.ts';
import { ancestor, bare, findIn } from '../source/syntax.ts';
import { type MarkedBlock, markedBlocks } from './markers.ts';
import { isWrapped, type PaymentCall, paymentCalls, routeKeys } from './paymentCalls.ts';

/** Tells of each route whether a payment stands before it already, by our marks and by the code. */
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
  return blocks.some(({ start, end }) => node.pos >= start - 2 && node.end <= end);
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
  const key = instanceKey(registered.receiver, bindings);
  for (const payment of calls) {
    if (payment.call.pos > registered.methodCall.end) continue;
    const receiver = gateReceiver(payment);
    if (!receiver || instanceKey(receiver, bindings) !== key) continue;
    // A map that is made elsewhere may hold this route; better to refuse than to charge twice.
    const covered = payment.routes
      ? routeKeys(payment.routes, bindings).some(
          (entry) => entry.key !== undefined && keyCovers(entry.key, route.method, route.path),
        )
      : true;
    if (covered) return inside(blocks, payment.call) ? 'marker' : 'code';
  }
  return undefined;
}

/** What a gate is registered on: the argument in Fastify, the receiver of `use` in Express. */
export function gateReceiver({ call, instance }: PaymentCall): ts.Expression | undefined {
  if (instance) return instance;
  const use = ancestor(call, ts.isCallExpression);
  if (!use || !ts.isPropertyAccessExpression(use.expression)) return undefined;
  return use.expression.name.text === 'use' ? use.expression.expression : undefined;
}

function argumentTakesPayment(
  argument: ts.Expression,
  calls: readonly PaymentCall[],
  bindings: Bindings,
): boolean {
  const at = bare(argument);
  if (calls.some(({ call }) => call === at)) return true;
  if (!ts.isIdentifier(at)) return false;
  const binding = bindings.of(at);
  const value = binding?.kind === 'variable' ? binding.declaration.initializer : undefined;
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
