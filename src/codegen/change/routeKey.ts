import { ts } from 'ts-morph';
import type { FoundRoute } from '../routes/foundRoute.ts';
import { type Bindings, staticText } from '../source/bindings.ts';
import type { Style } from '../source/style.ts';
import { bare } from '../source/syntax.ts';
import { type Name, quoted } from './code.ts';

/** How a route is named in the map of a gate, and its path where code names it. */
export interface RouteKey {
  /** `undefined` for a path that the payment middleware has no key for. */
  readonly name: Name | undefined;
  /** The path for `app.head(…)`, as code. */
  readonly path: string;
}

/**
 * The key of a route. A path that is a constant stays one, so that both change together; the prefix
 * of a Fastify plugin is only known at run time, and read there.
 * @param declaredBefore where the key is written: constants have to exist there
 */
export function routeKey(
  route: FoundRoute,
  style: Style,
  bindings: Bindings,
  declaredBefore: number,
): RouteKey {
  const { method, path, registered } = route;
  if (!registered?.pathExpression) return { name: undefined, path: quoted(path, style) };
  const { pathExpression, framework, origin, reading } = registered;
  const own = bare(pathExpression);
  if (reading === 'router') return { name: undefined, path: own.getText() };
  const constant = constantPath(route, pathExpression, bindings, declaredBefore);
  const literal = ts.isStringLiteralLike(own) ? own.text : path;
  const headPath = constant ? constant.code : quoted(literal, style);
  if (framework === 'fastify' && origin === 'given') {
    const prefix = `${registered.owner.getText()}.prefix`;
    const tail =
      path === '/' ? `\${${prefix} || '/'}` : `\${${prefix}}${constant?.inTemplate ?? path}`;
    return { name: { computed: `\`${method} ${tail}\`` }, path: headPath };
  }
  if (constant)
    return { name: { computed: `\`${method} ${constant.inTemplate}\`` }, path: headPath };
  return { name: { name: `${method} ${path}` }, path: headPath };
}

/** A path made of constants that the payment middleware takes as it is. */
function constantPath(
  { path }: FoundRoute,
  expression: ts.Expression,
  bindings: Bindings,
  declaredBefore: number,
): { readonly code: string; readonly inTemplate: string } | undefined {
  const at = bare(expression);
  if (staticText(at, bindings) !== path || !declared(at, bindings, declaredBefore))
    return undefined;
  if (ts.isTemplateExpression(at)) {
    return { code: at.getText(), inTemplate: at.getText().slice(1, -1) };
  }
  return ts.isIdentifier(at) || ts.isPropertyAccessExpression(at)
    ? { code: at.getText(), inTemplate: `\${${at.getText()}}` }
    : undefined;
}

/** Whether all names of an expression are declared before a place, in the outermost code. */
function declared(expression: ts.Node, bindings: Bindings, before: number): boolean {
  if (ts.isIdentifier(expression)) {
    const binding = bindings.of(expression);
    if (!binding) return false;
    if (binding.kind === 'import') return true;
    const { declaration } = binding;
    return declaration.end <= before && ts.isSourceFile(declaration.parent.parent.parent);
  }
  if (ts.isPropertyAccessExpression(expression))
    return declared(expression.expression, bindings, before);
  let all = true;
  ts.forEachChild(expression, (child) => {
    if (ts.isExpression(child)) all &&= declared(child, bindings, before);
    else if (ts.isTemplateSpan(child)) all &&= declared(child.expression, bindings, before);
  });
  return all;
}
