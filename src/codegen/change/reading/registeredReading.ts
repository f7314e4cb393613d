import { ts } from 'ts-morph';
import type { PaymentBlock } from '../../gate/paymentBlocks.ts';
import type { FoundRoute, Registration } from '../../routes/foundRoute.ts';
import { instanceKey } from '../../routes/instance.ts';
import type { Registering } from '../../routes/pathPattern.ts';
import { isRefusal } from '../../routes/pathPattern.ts';
import type { Refusal } from '../../routes/route.ts';
import type { Bindings } from '../../source/bindings.ts';
import { lineNumber } from '../../source/lines.ts';
import { isTypeScript } from '../../source/sourceFile.ts';
import type { Style } from '../../source/style.ts';
import {
  ancestor,
  isFunctionNode,
  isMethodCall,
  type MethodCall,
  walk,
} from '../../source/syntax.ts';
import { bare, isPlainName } from '../../source/values.ts';
import { foreignLine, type GateReading, readGate } from './paidBlocks.ts';
import { type PathCode, readPathCode } from './pathCode.ts';
import { type Place, placeBefore, placeInChain, settingsPlace } from './places.ts';

/** Facts about a route that a call registers, as plain data. */
export interface RegisteredReading {
  readonly kind: 'registered';
  readonly framework: Registering;
  readonly origin: Registration['origin'];
  /** Whether the instance has a name, or a chain of calls, which the payment code needs. */
  readonly named: boolean;
  /** The instance as code. */
  readonly owner: string;
  /**
   * Whether the gate must check which route the router matched, because the middleware's key and the
   * router match some paths differently.
   */
  readonly tied: boolean;
  /** Whether only the router can interpret the path. */
  readonly byRouter: boolean;
  /** Whether handlers need their own types: TypeScript might know nothing about a guessed instance. */
  readonly typesHandlers: boolean;
  readonly path: PathCode | undefined;
  readonly places: Places | Refusal;
  /** Place where the instance handles HEAD for this path. */
  readonly headsAt: readonly number[];
  /** An earlier route in the same chain of calls that might handle the same requests. */
  readonly chained: { readonly line: number; readonly name: string } | undefined;
  /** Line of a foreign statement between the marks. */
  readonly foreignLine: number | undefined;
  /** Line of a payment for the entire Fastify instance, as written by older versions. */
  readonly wholeInstanceLine: number | undefined;
}

/** Place for a gate, and the gates already there. */
export interface Places {
  readonly route: Place;
  readonly settings: Place | Refusal;
  readonly gate: GateReading | undefined;
}

/** Source of a reading. */
export interface RouteSource {
  readonly file: ts.SourceFile;
  readonly bindings: Bindings;
  readonly route: FoundRoute;
  /** The whole file. */
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
    named: key !== undefined && (isPlainName(owner) || chainLink(registered) !== undefined),
    owner: owner.getText(),
    tied: framework !== 'express' || reading !== 'same',
    byRouter: reading === 'router',
    typesHandlers: isTypeScript(file.fileName) && route.confidence === 'likely',
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
  registered: Registration,
): Places | Refusal {
  const { call, key } = registered;
  const link = chainLink(registered);
  const statement = link && ancestor(link, ts.isStatement);
  if (link && statement) {
    return {
      route: placeInChain(file, link, style),
      settings: settingsPlace(file, { statement }),
      gate: undefined,
    };
  }
  const spot = placeBefore(file, call);
  if (isRefusal(spot)) return spot;
  return {
    route: spot,
    settings: settingsPlace(file, spot),
    gate: readGate(file, blocks, key, spot, style),
  };
}

/** The call of a route of Hono that continues a chain: nothing else can come before it on the same app. */
export function chainLink({ framework, methodCall }: Registration): MethodCall | undefined {
  if (framework !== 'hono' || !isMethodCall(methodCall)) return undefined;
  return isPlainName(bare(methodCall.expression.expression)) ? undefined : methodCall;
}

/** Frameworks answer HEAD with the GET handler, unless an earlier route handles it. */
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
