import { ts } from 'ts-morph';
import type { PaymentBlock } from '../../gate/paymentBlocks.ts';
import type { FoundRoute, Registration } from '../../routes/foundRoute.ts';
import { instanceKey } from '../../routes/instance.ts';
import type { Registering } from '../../routes/pathPattern.ts';
import { isRefusal } from '../../routes/pathPattern.ts';
import type { Refusal } from '../../routes/route.ts';
import type { Bindings } from '../../source/bindings.ts';
import { lineNumber } from '../../source/lines.ts';
import type { Style } from '../../source/style.ts';
import { ancestor, isFunctionNode, walk } from '../../source/syntax.ts';
import { foreignLine, type GateReading, readGate } from './paidBlocks.ts';
import { type PathCode, readPathCode } from './pathCode.ts';
import { type Place, placeBefore, settingsPlace } from './places.ts';

/** What was read of a route that a call registers, as plain data. */
export interface RegisteredReading {
  readonly kind: 'registered';
  readonly framework: Registering;
  readonly origin: Registration['origin'];
  /** The instance has a name, by which it is given its payment. */
  readonly named: boolean;
  /** The instance as code. */
  readonly owner: string;
  /**
   * Whether a gate has to be tied to the route that the router matched, because the middleware's key
   * and the router read some paths differently.
   */
  readonly tied: boolean;
  /** The router alone can read the path. */
  readonly byRouter: boolean;
  readonly path: PathCode | undefined;
  readonly places: Places | Refusal;
  /** Where the instance answers HEAD for this path. */
  readonly headsAt: readonly number[];
  /** A route of the same chain of calls that comes earlier and may answer the same requests. */
  readonly chained: { readonly line: number; readonly name: string } | undefined;
  /** The line of a statement between marks that was not written here. */
  readonly foreignLine: number | undefined;
  /** The line of a payment for the whole Fastify instance, as older versions wrote them. */
  readonly wholeInstanceLine: number | undefined;
}

/** Where a gate can stand, and what stands there already. */
export interface Places {
  readonly route: Place;
  readonly settings: Place | Refusal;
  readonly gate: GateReading | undefined;
}

/** What a route is read from. */
export interface RouteSource {
  readonly file: ts.SourceFile;
  readonly bindings: Bindings;
  readonly route: FoundRoute;
  /** All of the file. */
  readonly routes: readonly FoundRoute[];
  readonly blocks: readonly PaymentBlock[];
  readonly style: Style;
}

export function readRegistered(source: RouteSource, registered: Registration): RegisteredReading {
  const { file, bindings, route, blocks } = source;
  const { framework, origin, key, reading, owner } = registered;
  return {
    kind: 'registered',
    framework,
    origin,
    named: key !== undefined,
    owner: owner.getText(),
    tied: framework !== 'express' || reading !== 'same',
    byRouter: reading === 'router',
    path: readPathCode(route, bindings),
    places: readPlaces(source, registered),
    headsAt: headsAt(source, registered),
    chained: firstOfChain(source, registered),
    foreignLine: foreignLine(file, ...blocks),
    wholeInstanceLine: wholeInstanceLine(source, registered),
  };
}

function readPlaces(
  { file, blocks, style }: RouteSource,
  { call, key }: Registration,
): Places | Refusal {
  const spot = placeBefore(file, call);
  if (isRefusal(spot)) return spot;
  return {
    route: spot,
    settings: settingsPlace(file, spot),
    gate: readGate(file, blocks, key, spot, style),
  };
}

/** Frameworks answer HEAD with the handler of GET, unless something else answers before. */
function headsAt(
  { file, bindings }: RouteSource,
  { key, pathExpression }: Registration,
): readonly number[] {
  const found: number[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression } = node.expression;
    const [path] = node.arguments;
    if (
      name.text === 'head' &&
      instanceKey(expression, bindings) === key &&
      path?.getText(file) === pathExpression?.getText(file)
    ) {
      found.push(node.pos);
    }
  });
  return found;
}

function firstOfChain(
  { file, routes, route }: RouteSource,
  { methodCall, key }: Registration,
): RegisteredReading['chained'] {
  const statement = ancestor(methodCall, ts.isStatement);
  const first = routes.find(
    (other) =>
      other !== route &&
      other.registered !== undefined &&
      other.registered.key === key &&
      other.range.start < route.range.start &&
      [route.method, '*'].includes(other.method) &&
      ancestor(other.registered.methodCall, ts.isStatement) === statement,
  );
  return (
    first && {
      line: lineNumber(file.text, first.range.start),
      name: `${first.method} ${first.path}`,
    }
  );
}

function wholeInstanceLine(
  { file, blocks }: RouteSource,
  { framework, call: own }: Registration,
): number | undefined {
  if (framework !== 'fastify') return undefined;
  for (const { gate } of blocks) {
    if (!gate || gate.payment.attached) continue;
    const scope = ancestor(gate.statement, isFunctionNode);
    if (scope && !(own.pos >= scope.pos && own.end <= scope.end)) continue;
    return lineNumber(file.text, gate.statement.getStart(file));
  }
  return undefined;
}
