import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { walk } from '../source/syntax.ts';
import { bare, property, staticText } from '../source/values.ts';
import type { FoundRoute } from './foundRoute.ts';
import { type Evidence, likelyServer } from './frameworks.ts';
import { handlerFunction } from './handlerCalls.ts';
import { refuse } from './route.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/**
 * Routes of a table: `[{ method: 'GET', url: '/x', handler }, …]`, which a loop passes to Fastify's `route()`, often in another
 * file. They are shown but not changed, because a gate needs the call.
 */
export function tableRoutes(
  file: ts.SourceFile,
  bindings: Bindings,
  evidence: Evidence,
): readonly FoundRoute[] {
  if (!runsFastify(evidence) || !/\bmethod\b/.test(file.text) || !/\burl\b/.test(file.text)) {
    return [];
  }
  const found: FoundRoute[] = [];
  walk(file, (node) => {
    if (!ts.isArrayLiteralExpression(node)) return;
    for (const element of node.elements) {
      const at = bare(element);
      const route = ts.isObjectLiteralExpression(at) ? tableRoute(at, bindings) : undefined;
      if (route) found.push(route);
    }
  });
  return found;
}

function tableRoute(at: ts.ObjectLiteralExpression, bindings: Bindings): FoundRoute | undefined {
  const handled = at.properties.find(({ name }) => name?.getText() === 'handler');
  const method = property(at, 'method');
  const url = property(at, 'url');
  const text = url && staticText(url, bindings);
  if (!handled || !method || !text?.startsWith('/')) return undefined;
  const methods = namedMethods(method, bindings);
  if (methods === undefined) return undefined;
  const value = property(at, 'handler');
  const handler = ts.isMethodDeclaration(handled)
    ? handled
    : value && handlerFunction(value, bindings);
  const range = { start: at.getStart(), end: at.end };
  const [only = '*'] = methods;
  return {
    framework: 'fastify',
    method: methods.length === 1 ? only : '*',
    path: text,
    params: [...text.matchAll(/:([A-Za-z_]\w*)/g)].map(([, name = '']) => name),
    range,
    call: range,
    handler: handler && { start: handler.getStart(), end: handler.end },
    gated: undefined,
    confidence: 'likely',
    refusal: refuse(
      'layout_not_supported',
      'This route is in a table, and the code that registers it is elsewhere. Register it with fastify.route() or a method such as fastify.get() first.',
    ),
    handlerNode: handler,
    registered: undefined,
    exported: undefined,
  };
}

/** `undefined` if this file does not show that each of them is an HTTP method. */
function namedMethods(
  expression: ts.Expression,
  bindings: Bindings,
): readonly string[] | undefined {
  const at = bare(expression);
  const each = ts.isArrayLiteralExpression(at) ? [...at.elements] : [at];
  const names = each.map((one) => staticText(one, bindings)?.toUpperCase() ?? '');
  return names.length > 0 && names.every((name) => METHODS.has(name)) ? names : undefined;
}

function runsFastify(evidence: Evidence): boolean {
  const server = likelyServer(evidence);
  return (
    server !== undefined &&
    'kind' in server &&
    server.kind === 'sold' &&
    server.framework === 'fastify'
  );
}
