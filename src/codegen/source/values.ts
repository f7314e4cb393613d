import { ts } from 'ts-morph';
import { MAX_TEXT, Readings } from './readings.ts';

/** The declaration or import behind a name in the code. */
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

/** Resolves names at their place of use. */
export interface Scopes {
  /** `undefined` for globals. */
  of(identifier: ts.Identifier): Binding | undefined;
}

/** Strips parentheses, `as T`, `satisfies T`, `!` and `await` from an expression. */
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

/** Returns the property of an object literal with this name, written as identifier or string. */
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

/** Returns the value of a member of an object literal, from `a: value` or `{ value }`. */
export function memberValue(member: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer;
  return ts.isShorthandPropertyAssignment(member) ? member.name : undefined;
}

/** Returns a property's name if the code spells it out. */
export function propertyName(name: ts.PropertyName | ts.BindingName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) {
    return name.text;
  }
  return undefined;
}

/** Returns the name of the called function, method or property. */
export function calledName(call: ts.CallExpression): string | undefined {
  const callee = bare(call.expression);
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

/** Returns whether an expression is a chain of plain names: `app`, `this.app`, `services.http`. */
export function isPlainName(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression) || expression.kind === ts.SyntaxKind.ThisKeyword) return true;
  return ts.isPropertyAccessExpression(expression) && isPlainName(expression.expression);
}

/** Returns the module and export of `require('m')`, `require('m').name` and `require('m').default`. */
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

/** Returns the module and export behind an expression: `Router`, `express.Router`, `require('x').y`. */
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
 * Evaluates an expression with a fixed text: literals, templates and concatenations of them, constants of the file, members of
 * constant objects and enums.
 */
export function staticText(expression: ts.Expression, bindings: Scopes): string | undefined {
  const at = bare(expression);
  return texts.of(at, () => {
    const text = computedText(at, bindings);
    return text !== undefined && text.length > MAX_TEXT ? undefined : text;
  });
}

const texts = new Readings<string>();

function computedText(at: ts.Expression, bindings: Scopes): string | undefined {
  if (ts.isStringLiteralLike(at)) return at.text;
  if (ts.isNumericLiteral(at)) return at.text;
  if (ts.isTemplateExpression(at)) {
    let text = at.head.text;
    for (const span of at.templateSpans) {
      const part = staticText(span.expression, bindings);
      if (part === undefined) return undefined;
      text += part + span.literal.text;
      if (text.length > MAX_TEXT) return undefined;
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

/** Returns the initial value of a variable in this file. */
export function initializerOf(
  identifier: ts.Identifier,
  bindings: Scopes,
): ts.Expression | undefined {
  const binding = bindings.of(identifier);
  return binding?.kind === 'variable' ? binding.declaration.initializer : undefined;
}

/** Returns the initializer of a name declared once, with `const`, in this file. */
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

/** Resolves an expression to an object literal. */
export function constantObject(
  expression: ts.Expression,
  bindings: Scopes,
): ts.ObjectLiteralExpression | undefined {
  const at = bare(expression);
  return objects.of(at, () => objectBehind(at, bindings));
}

const objects = new Readings<ts.ObjectLiteralExpression>();

function objectBehind(at: ts.Expression, bindings: Scopes): ts.ObjectLiteralExpression | undefined {
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
