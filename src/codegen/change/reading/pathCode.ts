import { ts } from 'ts-morph';
import type { FoundRoute } from '../../routes/foundRoute.ts';
import type { Bindings } from '../../source/bindings.ts';
import { bare, staticText } from '../../source/values.ts';

/** The code of a route's path. */
export interface PathCode {
  /** Exactly as in the source. */
  readonly code: string;
  /** The text of a literal path. */
  readonly literal: string | undefined;
  readonly constant: PathConstant | undefined;
}

/** A path made of constants, which the payment middleware accepts unchanged. */
export interface PathConstant {
  readonly code: string;
  /** The same, for use between the backticks of a template. */
  readonly inTemplate: string;
  /** Declarations of all the constants. */
  readonly declaredAt: number;
}

/** Reads the path of a route; `undefined` for a route without one. */
export function readPathCode(
  { path, registered }: FoundRoute,
  bindings: Bindings,
): PathCode | undefined {
  if (!registered?.pathExpression) return undefined;
  const at = bare(registered.pathExpression);
  return {
    code: at.getText(),
    literal: ts.isStringLiteralLike(at) ? at.text : undefined,
    constant: staticText(at, bindings) === path ? constantPath(at, bindings) : undefined,
  };
}

function constantPath(at: ts.Expression, bindings: Bindings): PathConstant | undefined {
  const template = ts.isTemplateExpression(at);
  if (!template && !ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return undefined;
  const declaredAt = declaredAtTop(at, bindings);
  if (declaredAt === undefined) return undefined;
  const code = at.getText();
  return { code, inTemplate: template ? code.slice(1, -1) : `\${${code}}`, declaredAt };
}

/** Returns the declarations of all names in an expression, if all are at the top level. */
function declaredAtTop(expression: ts.Node, bindings: Bindings): number | undefined {
  if (ts.isIdentifier(expression)) {
    const binding = bindings.of(expression);
    if (!binding) return undefined;
    if (binding.kind === 'import') return 0;
    const { declaration } = binding;
    return isOutermost(declaration) ? declaration.end : undefined;
  }
  if (ts.isPropertyAccessExpression(expression)) {
    return declaredAtTop(expression.expression, bindings);
  }
  let last: number | undefined = 0;
  ts.forEachChild(expression, (child) => {
    const part = ts.isTemplateSpan(child) ? child.expression : child;
    if (last === undefined || !ts.isExpression(part)) return;
    const at = declaredAtTop(part, bindings);
    last = at === undefined ? undefined : Math.max(last, at);
  });
  return last;
}

/** An enum is a statement itself; a constant is the only declaration of its list. */
function isOutermost(declaration: ts.Node): boolean {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return ts.isSourceFile(statement.parent);
}
