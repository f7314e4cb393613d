import type { Registering } from '../../routes/pathPattern.ts';
import { deletion, type Edit } from '../../source/edit.ts';
import type { Style } from '../../source/style.ts';
import type { NewGate } from '../decision/decision.ts';
import { blockBefore, blockInChain } from './blocks.ts';
import { forRouteLines, honoRouteLines } from './forRouteLines.ts';
import { gateLines } from './gateLines.ts';
import { gateHeads } from './headLines.ts';
import type { Ingredients } from './ingredients.ts';
import { routeKey } from './routeKey.ts';
import { narrowed, writeLines } from './writeCode.ts';

/** Writes a new gate before a route, and settings if the file has none. */
export function writeGate(
  ingredients: Ingredients,
  { registered, place, top, moved }: NewGate,
): readonly Edit[] {
  const { reading, imported, settings, config } = ingredients;
  const { route, style, names, typed, settings: found } = reading;
  const middleware = imported.local('paymentMiddleware');
  const helped = registered.framework !== 'express';
  const forRoute = found?.forRoute ?? (helped ? names.fresh('forRoute') : '');
  // Settings that are not in the gate's block get their own block at the top level.
  const inChain = place.inChain !== undefined;
  const apart = inChain || (!found && top.pos !== place.pos);
  const aboveIndent = apart ? '' : place.indent;
  const helper =
    helped && found?.forRoute === undefined
      ? helperLines(ingredients, registered.framework, forRoute, narrowed(style, aboveIndent))
      : [];
  const key = routeKey(route, registered, place.offset, style);
  const gate = gateLines({
    registered,
    inChain,
    method: route.method,
    key: key.name,
    config,
    path: key.path,
    middleware,
    server: settings.server,
    forRoute,
    configName: () => names.numbered(configName(route.path)),
    typed,
    style,
  });
  const made = writeLines(settings.lines, style, aboveIndent);
  const above =
    made.length > 0 && helper.length > 0 ? [...made, '', ...helper] : [...made, ...helper];
  const narrow = narrowed(style, place.indent);
  const heads = gateHeads(registered, route.method, key.path, narrow, place);
  const written = writeLines(gate, style, place.indent);
  // A gate that charges for every method needs the HEAD route before it.
  const lines = route.method === '*' || inChain ? [...heads, ...written] : [...written, ...heads];
  const front = apart || above.length === 0 ? [] : [...above, ''];
  return [
    ...(apart && above.length > 0 ? [blockBefore(top, above, style)] : []),
    ...(moved
      ? [blockBefore(top, moved.lines, style), deletion(moved.cut.start, moved.cut.end)]
      : []),
    inChain ? blockInChain(place, lines, style) : blockBefore(place, [...front, ...lines], style),
  ];
}

/** The function through which the payments of a file's routes are registered. */
function helperLines(
  { reading: { typed }, imported, settings: { server, atRequest } }: Ingredients,
  framework: Registering,
  helper: string,
  style: Style,
): readonly string[] {
  if (framework === 'fastify') {
    return forRouteLines(helper, imported.local('paymentMiddleware'), typed, style);
  }
  const http = imported.local('x402HTTPResourceServer');
  const middleware = imported.local('paymentMiddlewareFromHTTPServer');
  return honoRouteLines({ helper, server, http, middleware }, atRequest, typed, style);
}

/** `itemsIdTerms` for `/items/:id`. */
function configName(path: string): string {
  const words = path.match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
  const [first = '', ...rest] = words.slice(0, 4).map((word) => word.toLowerCase());
  const joined = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return joined === '' ? 'routeTerms' : `${joined.slice(0, 32)}Terms`;
}
