import { ts } from 'ts-morph';
import { paymentBlocks } from '../../gate/paymentBlocks.ts';
import { type FoundRoute, publicRoute } from '../../routes/foundRoute.ts';
import { keyCovers } from '../../routes/pathPattern.ts';
import type { Route } from '../../routes/route.ts';
import { type Discovery, readDiscovery } from '../../schema/discovery.ts';
import { lineNumber } from '../../source/lines.ts';
import { isTypeScript } from '../../source/sourceFile.ts';
import { readStyle, type Style } from '../../source/style.ts';
import { ancestor } from '../../source/syntax.ts';
import type { AddPaymentInput } from '../change.ts';
import type { ChosenRoute } from './chosenRoute.ts';
import { type ExportedReading, readExported } from './exportedReading.ts';
import { type FileImports, readImports } from './fileImports.ts';
import { attachedComment } from './firstLine.ts';
import { Names } from './names.ts';
import { readSettings, type SettingsReading } from './paidBlocks.ts';
import { chainLink, type RegisteredReading, readRegistered } from './registeredReading.ts';

/** Everything that putting a payment before a route needs from its file, as plain data. */
export interface RouteReading {
  readonly text: string;
  readonly typed: boolean;
  readonly style: Style;
  readonly names: Names;
  readonly imports: FileImports;
  /** `name` of the nearest package.json. */
  readonly packageName: string | undefined;
  readonly route: Route;
  /** The runtime of the project, if its code has to be written in another way. */
  readonly runtime: AddPaymentInput['runtime'];
  readonly payToVariable: string | undefined;
  /** Files that use what the route's file exports. */
  readonly importers: NonNullable<AddPaymentInput['importers']>;
  /** The framework that the user named. */
  readonly said: string | undefined;
  /** Version or range of the route's framework in the project. */
  readonly version: string | undefined;
  /** Form of the route; `undefined` if it is not supported. */
  readonly made: RegisteredReading | ExportedReading | undefined;
  readonly settings: SettingsReading | undefined;
  readonly discovery: Discovery;
  /** The comment above the route. */
  readonly comment: string | undefined;
  /** An earlier route that answers the same requests without payment. */
  readonly answeredBy: { readonly line: number; readonly name: string } | undefined;
}

/** Reads a file once for a payment before the chosen route. */
export function readRoute(chosen: ChosenRoute, input: AddPaymentInput): RouteReading {
  const { file, bindings, route, routes } = chosen;
  const { packageModules, packageName, formatter, nextVersion, versions } = input;
  const style = { ...readStyle(file, packageModules), ...formatter };
  const blocks = paymentBlocks(file, bindings);
  const { registered, exported } = route;
  const above = exported?.statement ?? commented(file, route);
  return {
    text: file.text,
    typed: isTypeScript(file.fileName),
    style,
    names: new Names(file),
    imports: readImports(file),
    packageName,
    route: publicRoute(route),
    runtime: input.runtime,
    payToVariable: input.payToVariable,
    importers: input.importers ?? [],
    said: input.framework,
    version: registered ? versions?.[registered.framework] : (nextVersion ?? versions?.next),
    made: registered
      ? readRegistered({ file, bindings, route, routes, blocks, style }, registered)
      : exported && readExported(file, route, exported),
    settings: readSettings(file, blocks, style),
    discovery: readDiscovery(route, bindings),
    comment: above && attachedComment(file, above),
    answeredBy: answeredBy(file, route, routes),
  };
}

const DOT = ts.SyntaxKind.DotToken;

/** Returns the node whose comment describes a route that a call registers. */
function commented(
  file: ts.SourceFile,
  { registered, handlerNode }: FoundRoute,
): ts.Node | undefined {
  const link = registered && chainLink(registered);
  // The dot has the comments above a call of a chain.
  if (link) return link.expression.getChildren(file).find(({ kind }) => kind === DOT);
  const call = registered?.call;
  const statement = call && ancestor(call, ts.isStatement);
  if (statement && statement.getStart(file) === call?.getStart(file)) return statement;
  return handlerNode && ts.isFunctionDeclaration(handlerNode) ? handlerNode : undefined;
}

/** Returns an earlier route on the same instance whose path covers this one's. */
function answeredBy(
  file: ts.SourceFile,
  route: FoundRoute,
  routes: readonly FoundRoute[],
): RouteReading['answeredBy'] {
  const own = route.registered?.key;
  const first = routes.find(
    ({ registered, method, path, gated, refusal, range }) =>
      range.end <= route.range.start &&
      gated === undefined &&
      refusal?.code !== 'path_not_supported' &&
      registered !== undefined &&
      registered.key === own &&
      keyCovers(`${method} ${path}`, route.method, route.path),
  );
  return (
    first && {
      line: lineNumber(file.text, first.range.start),
      name: `${first.method} ${first.path}`,
    }
  );
}
