import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { walk } from '../source/syntax.ts';
import { importedFrom, property, staticText } from '../source/values.ts';
import type { FoundRoute } from './foundRoute.ts';
import { joined } from './mounts.ts';
import { refuse, SELL_BY_PROXY } from './route.ts';

const MODULES = new Set([
  '@nestjs/common',
  'routing-controllers',
  'fastify-decorators',
  '@tsed/common',
  '@tsed/schema',
]);
const METHODS = new Set([
  'Get',
  'Post',
  'Put',
  'Patch',
  'Delete',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
]);

/** Methods of controller classes whose decorators define routes. They are shown but not changed. */
export function decoratedRoutes(file: ts.SourceFile, bindings: Bindings): readonly FoundRoute[] {
  const routes: FoundRoute[] = [];
  const isPossible = file.text.includes('Controller');
  if (!isPossible && ![...MODULES].some((module) => file.text.includes(module))) return routes;
  walk(file, (node) => {
    if (!ts.isMethodDeclaration(node)) return;
    for (const decorator of ts.getDecorators(node) ?? []) {
      const call = decorator.expression;
      if (!ts.isCallExpression(call)) continue;
      const from = importedFrom(call.expression, bindings);
      if (!from || !METHODS.has(from.name)) continue;
      const [argument] = call.arguments;
      const text = argument && staticText(argument, bindings);
      // A project's own decorators with these names can mean something else.
      const controller = controllerOf(node.parent);
      const isOwn = (!argument || text !== undefined) && controller !== undefined;
      if (!MODULES.has(from.module) && !isOwn) continue;
      // An unknown path is shown as its code: `USERS`, without a slash.
      const isKnown = !argument || text !== undefined;
      const path = isKnown ? rooted(text ?? '') : argument.getText();
      const prefix = isKnown ? prefixOf(controller, bindings) : '';
      routes.push({
        framework: 'decorators',
        method: from.name.toUpperCase(),
        path,
        params: [],
        ...(prefix === '' ? {} : { mounted: joined(rooted(prefix), path) }),
        range: { start: node.getStart(file), end: node.end },
        call: { start: node.getStart(file), end: node.end },
        handler: { start: node.getStart(file), end: node.end },
        gated: undefined,
        confidence: 'certain',
        refusal: refuse(
          'decorators',
          `Decorators of ${from.module} define this route, and this file does not show its order among other routes. ${SELL_BY_PROXY}`,
        ),
        handlerNode: node,
        registered: undefined,
        exported: undefined,
      });
    }
  });
  return routes;
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** The decorator of `@Controller('/x') class …`, of whatever package or project. */
function controllerOf(holder: ts.Node): ts.Expression | undefined {
  if (!ts.isClassLike(holder)) return undefined;
  return (ts.getDecorators(holder) ?? [])
    .map(({ expression }) => expression)
    .find((expression) => {
      const name = ts.isCallExpression(expression) ? expression.expression : expression;
      return ts.isIdentifier(name) && name.text.endsWith('Controller');
    });
}

/** The path before those of a controller's methods: `@Controller('/x')`, `@Controller({ path: '/x' })`. */
function prefixOf(controller: ts.Expression | undefined, bindings: Bindings): string {
  if (!controller || !ts.isCallExpression(controller)) return '';
  const [argument] = controller.arguments;
  if (!argument) return '';
  const path = ts.isObjectLiteralExpression(argument)
    ? (property(argument, 'path') ?? property(argument, 'route'))
    : argument;
  return (path && staticText(path, bindings)) ?? '';
}
