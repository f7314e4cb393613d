import { ts } from 'ts-morph';

/** Calls `visit` for each node below this one, from the front of the text to its end. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child);
    walk(child, visit);
  });
}

/** The first node below this one for which `select` gives something. */
export function findIn<T>(node: ts.Node, select: (node: ts.Node) => T | undefined): T | undefined {
  return ts.forEachChild(node, (child) => select(child) ?? findIn(child, select));
}

/** The nearest node that holds this one and for which `test` holds. */
export function ancestor<T extends ts.Node>(
  node: ts.Node,
  test: (node: ts.Node) => node is T,
): T | undefined {
  for (let at = node.parent as ts.Node | undefined; at; at = at.parent) {
    if (test(at)) return at;
  }
  return undefined;
}

/** An expression without parentheses, `as T`, `satisfies T`, `!` and `await` around it. */
export function bare(expression: ts.Expression): ts.Expression {
  let at = expression;
  for (;;) {
    if (
      ts.isParenthesizedExpression(at) ||
      ts.isAsExpression(at) ||
      ts.isSatisfiesExpression(at) ||
      ts.isNonNullExpression(at) ||
      ts.isTypeAssertionExpression(at) ||
      ts.isAwaitExpression(at)
    ) {
      at = at.expression;
    } else {
      return at;
    }
  }
}

export type FunctionNode =
  | ts.ArrowFunction
  | ts.FunctionExpression
  | ts.FunctionDeclaration
  | ts.MethodDeclaration;

export function isFunctionNode(node: ts.Node | undefined): node is FunctionNode {
  return (
    node !== undefined &&
    (ts.isArrowFunction(node) ||
      ts.isFunctionExpression(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node))
  );
}

/** The property of an object literal under a name written as identifier or string. */
export function property(
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  for (const member of literal.properties) {
    if (member.name === undefined || propertyName(member.name) !== name) continue;
    if (ts.isPropertyAssignment(member)) return member.initializer;
    if (ts.isShorthandPropertyAssignment(member)) return member.name;
  }
  return undefined;
}

/** A name of a property that can be read from the code. */
export function propertyName(name: ts.PropertyName | ts.BindingName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) {
    return name.text;
  }
  return undefined;
}

/** The name of the function, method or property that a call goes to. */
export function calledName(call: ts.CallExpression): string | undefined {
  const callee = bare(call.expression);
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

/** Whether an expression is a chain of plain names: `app`, `this.app`, `services.http`. */
export function isPlainName(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression) || expression.kind === ts.SyntaxKind.ThisKeyword) return true;
  return ts.isPropertyAccessExpression(expression) && isPlainName(expression.expression);
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((at) => at.kind === kind) ?? false)
  );
}
