import { ts } from 'ts-morph';

/** What a name in the code stands for. */
export type Binding =
  | { readonly kind: 'import'; readonly module: string; readonly name: string }
  | { readonly kind: 'variable'; readonly declaration: ts.VariableDeclaration }
  | {
      readonly kind: 'destructured';
      readonly element: ts.BindingElement;
      readonly declaration: ts.VariableDeclaration | ts.ParameterDeclaration;
    }
  | { readonly kind: 'parameter'; readonly declaration: ts.ParameterDeclaration }
  | { readonly kind: 'function'; readonly declaration: ts.FunctionDeclaration }
  | {
      readonly kind: 'type';
      readonly declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
    }
  | { readonly kind: 'other'; readonly declaration: ts.Node };

/** Tells what names stand for where they are used. */
export interface Scopes {
  /** `undefined` for globals. */
  of(identifier: ts.Identifier): Binding | undefined;
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

/** The property of an object literal under a name written as identifier or string. */
export function property(
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  for (const member of literal.properties) {
    if (member.name === undefined || propertyName(member.name) !== name) continue;
    const value = memberValue(member);
    if (value) return value;
  }
  return undefined;
}

/** What a member of an object literal is set to, as `a: value` or as `{ value }`. */
export function memberValue(member: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer;
  return ts.isShorthandPropertyAssignment(member) ? member.name : undefined;
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

/** The module and export of `require('m')`, `require('m').name` and `require('m').default`. */
export function requiredModule(
  expression: ts.Expression,
): { readonly module: string; readonly name: string } | undefined {
  const at = bare(expression);
  if (ts.isPropertyAccessExpression(at)) {
    const of = requiredModule(at.expression);
    return of?.name === '*' ? { module: of.module, name: at.name.text } : undefined;
  }
  if (!ts.isCallExpression(at) || at.arguments.length !== 1) return undefined;
  const [module] = at.arguments;
  const named = ts.isIdentifier(at.expression) && at.expression.text === 'require';
  return named && module && ts.isStringLiteralLike(module)
    ? { module: module.text, name: '*' }
    : undefined;
}

/** The module and export that an expression reaches: `Router`, `express.Router`, `require('x').y`. */
export function importedFrom(
  expression: ts.Expression,
  bindings: Scopes,
): { readonly module: string; readonly name: string } | undefined {
  const at = bare(expression);
  if (ts.isIdentifier(at)) {
    const binding = bindings.of(at);
    if (binding?.kind === 'import') return { module: binding.module, name: binding.name };
    // `const { Router } = express`
    if (binding?.kind === 'destructured' && ts.isVariableDeclaration(binding.declaration)) {
      const from = binding.declaration.initializer;
      const { propertyName, name } = binding.element;
      const member = propertyName ?? name;
      const whole = from && importedFrom(from, bindings);
      return whole && ts.isIdentifier(member)
        ? { module: whole.module, name: member.text }
        : undefined;
    }
    return undefined;
  }
  if (ts.isPropertyAccessExpression(at)) {
    const of = importedFrom(at.expression, bindings);
    if (of === undefined) return requiredModule(at);
    return of.name === '*' || of.name === 'default'
      ? { module: of.module, name: at.name.text }
      : undefined;
  }
  return requiredModule(at);
}

/**
 * The text that an expression always has: literals, templates and sums of them, constants of the
 * file, members of constant objects and of enums.
 */
export function staticText(expression: ts.Expression, bindings: Scopes): string | undefined {
  const at = bare(expression);
  if (ts.isStringLiteralLike(at)) return at.text;
  if (ts.isNumericLiteral(at)) return at.text;
  if (ts.isTemplateExpression(at)) {
    let text = at.head.text;
    for (const span of at.templateSpans) {
      const part = staticText(span.expression, bindings);
      if (part === undefined) return undefined;
      text += part + span.literal.text;
    }
    return text;
  }
  if (ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = staticText(at.left, bindings);
    const right = staticText(at.right, bindings);
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (ts.isIdentifier(at)) {
    const constant = constantValue(at, bindings);
    return constant && staticText(constant, bindings);
  }
  if (ts.isPropertyAccessExpression(at)) return memberText(at, bindings);
  return undefined;
}

/** What a variable of this file begins with. */
export function initializerOf(
  identifier: ts.Identifier,
  bindings: Scopes,
): ts.Expression | undefined {
  const binding = bindings.of(identifier);
  return binding?.kind === 'variable' ? binding.declaration.initializer : undefined;
}

/** The initializer of a name that is declared once, by `const` in this file. */
export function constantValue(
  identifier: ts.Identifier,
  bindings: Scopes,
): ts.Expression | undefined {
  const binding = bindings.of(identifier);
  if (binding?.kind !== 'variable') return undefined;
  const list = binding.declaration.parent;
  const constant = ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.Const) !== 0;
  return constant ? binding.declaration.initializer : undefined;
}

function memberText(access: ts.PropertyAccessExpression, bindings: Scopes): string | undefined {
  const owner = bare(access.expression);
  const literal = constantObject(owner, bindings);
  if (literal) {
    const value = property(literal, access.name.text);
    return value && staticText(value, bindings);
  }
  if (!ts.isIdentifier(owner)) return undefined;
  const binding = bindings.of(owner);
  if (binding?.kind !== 'other' || !ts.isEnumDeclaration(binding.declaration)) return undefined;
  const member = binding.declaration.members.find(
    ({ name }) => ts.isIdentifier(name) && name.text === access.name.text,
  );
  return member?.initializer && staticText(member.initializer, bindings);
}

/** The object literal that an expression stands for. */
export function constantObject(
  expression: ts.Expression,
  bindings: Scopes,
): ts.ObjectLiteralExpression | undefined {
  const at = bare(expression);
  if (ts.isObjectLiteralExpression(at)) return at;
  // Object.freeze({…})
  if (ts.isCallExpression(at) && at.expression.getText() === 'Object.freeze' && at.arguments[0]) {
    return constantObject(at.arguments[0], bindings);
  }
  if (ts.isPropertyAccessExpression(at)) {
    const owner = constantObject(at.expression, bindings);
    const value = owner && property(owner, at.name.text);
    return value && constantObject(value, bindings);
  }
  if (!ts.isIdentifier(at)) return undefined;
  const value = constantValue(at, bindings);
  return value && constantObject(value, bindings);
}
