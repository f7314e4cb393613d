import { ts } from 'ts-morph';

/** Calls `visit` for each node below this one, in text order. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child);
    walk(child, visit);
  });
}

/** The first node below this one for which `select` returns something. */
export function findIn<T>(node: ts.Node, select: (node: ts.Node) => T | undefined): T | undefined {
  return ts.forEachChild(node, (child) => select(child) ?? findIn(child, select));
}

/** The nearest node around this one for which `test` returns true. */
export function ancestor<T extends ts.Node>(
  node: ts.Node,
  test: (node: ts.Node) => node is T,
): T | undefined {
  for (let at = node.parent as ts.Node | undefined; at; at = at.parent) {
    if (test(at)) return at;
  }
  return undefined;
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

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((at) => at.kind === kind) ?? false)
  );
}

export function isExported(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

/** A member call: `app.get(…)`. */
export type MethodCall = ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };

export function isMethodCall(node: ts.Node): node is MethodCall {
  return ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
}
