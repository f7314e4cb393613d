import type { ts } from 'ts-morph';
import { readRoutes, type SourceText } from '../findRoutes.ts';
import type { FoundRoute } from '../routes/foundRoute.ts';
import { keyCovers } from '../routes/pathPattern.ts';
import type { Framework, Route } from '../routes/route.ts';
import type { Bindings } from '../source/bindings.ts';
import { unlessTooDeep } from '../source/sourceFile.ts';
import { importedFrom, memberValue, staticText } from '../source/values.ts';
import { engineCall } from './engineCalls.ts';
import { covers } from './markGated.ts';
import { type PaymentBlock, paymentBlocks } from './paymentBlocks.ts';
import { routeKeys } from './paymentCalls.ts';

/** A payment that was added here and has no route any more, because somebody renamed, moved or removed it. */
export interface DeadPayment {
  /** Method and path of the payment, in the form of a route. */
  readonly route: Route;
  readonly block: PaymentBlock;
  /** The key of a map with several; `undefined` if the whole gate is dead. */
  readonly entry: ReturnType<typeof routeKeys>[number] | undefined;
}

/**
 * Finds the payments of a file that no route is behind. What their routes became is free, although the code looks paid.
 * @returns each as a route with the payment's place in the text, first to last
 */
export function deadPayments(source: SourceText): readonly Route[] {
  if (!source.text.includes('svc-x402: payments')) return [];
  const read = () => {
    const { file, bindings, routes } = readRoutes(source);
    return deadIn(file, routes, paymentBlocks(file, bindings), bindings);
  };
  return unlessTooDeep(read, []).map(({ route }) => route);
}

/** The same, with the code of each. */
export function deadIn(
  file: ts.SourceFile,
  routes: readonly FoundRoute[],
  blocks: readonly PaymentBlock[],
  bindings: Bindings,
): readonly DeadPayment[] {
  return blocks.flatMap((block): readonly DeadPayment[] => {
    const { gate } = block;
    if (!gate) return [];
    const { payment, statement, link, instance } = gate;
    const paid = routes.filter(({ gated, registered }) => gated && registered?.key === instance);
    const framework = frameworkOf(payment.call, bindings);
    if (payment.attached) {
      if (paid.some((route) => covers(payment, route, bindings))) return [];
      const { method, path } = payment.attached;
      const route = asRoute(framework, method, staticText(path, bindings) ?? path.getText(file), {
        start: link ? link.expression.name.getStart(file) : statement.getStart(file),
        end: link?.end ?? statement.end,
      });
      return [{ route, block, entry: undefined }];
    }
    const keys = routeKeys(gate.routes, bindings);
    const dead = keys.filter(
      ({ key, property }) =>
        key !== undefined &&
        asksForPayment(property) &&
        !paid.some(({ method, path }) => keyCovers(key, method, path)),
    );
    return dead.map((entry) => {
      const [method = '*', path = '*'] = entry.key?.split(/\s+/) ?? [];
      const { property } = entry;
      const range = { start: property.getStart(file), end: property.end };
      const only = dead.length === keys.length && keys.length === 1;
      return {
        route: asRoute(framework, method, path, range),
        block,
        entry: only ? undefined : entry,
      };
    });
  });
}

/** Whether a key has terms as they are written here: somebody may have added others for routes of other files. */
function asksForPayment(element: ts.ObjectLiteralElementLike): boolean {
  const terms = memberValue(element);
  return terms !== undefined && /\baccepts\b/.test(terms.getText());
}

function frameworkOf(call: ts.CallExpression, bindings: Bindings): Framework {
  const engine = engineCall(call, bindings);
  if (engine) return engine.framework;
  const module = importedFrom(call.expression, bindings)?.module ?? '';
  if (module.includes('fastify')) return 'fastify';
  // A payment of Hono is a call of a generated function.
  return module.includes('express') ? 'express' : 'hono';
}

function asRoute(framework: Framework, method: string, path: string, range: Route['range']): Route {
  return {
    framework,
    method,
    path,
    params: [],
    range,
    call: range,
    handler: undefined,
    gated: 'marker',
    confidence: 'certain',
    refusal: undefined,
  };
}
