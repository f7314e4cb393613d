import { ts } from 'ts-morph';
import { bare, hasModifier, property } from './syntax.ts';

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

type Scope = ReadonlyMap<string, Binding>;

/**
 * Finds what names stand for, by the scopes of one file. No types and no other files are read, so
 * it is as quick as the parser.
 */
export class Bindings {
  readonly #scopes = new Map<ts.Node, Scope>();

  /** What an identifier stands for where it is used; `undefined` for globals. */
  of(identifier: ts.Identifier): Binding | undefined {
    return this.named(identifier.text, identifier);
  }

  /** What a name stands for at a place in the code. */
  named(name: string, place: ts.Node): Binding | undefined {
    for (let at = place.parent as ts.Node | undefined; at; at = at.parent) {
      if (!isScope(at)) continue;
      const binding = this.#scope(at).get(name);
      if (binding) return binding;
    }
    return undefined;
  }

  #scope(node: ts.Node): Scope {
    const known = this.#scopes.get(node);
    if (known) return known;
    const scope = new Map<string, Binding>();
    if (ts.isFunctionLike(node)) {
      for (const declaration of node.parameters) addName(scope, declaration.name, declaration);
    } else if (ts.isSourceFile(node) || ts.isBlock(node) || ts.isModuleBlock(node)) {
      for (const statement of node.statements) addStatement(scope, statement);
    } else if (ts.isForOfStatement(node) || ts.isForInStatement(node) || ts.isForStatement(node)) {
      if (node.initializer && ts.isVariableDeclarationList(node.initializer)) {
        for (const declaration of node.initializer.declarations) {
          addName(scope, declaration.name, declaration);
        }
      }
    }
    this.#scopes.set(node, scope);
    return scope;
  }
}

function isScope(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) ||
    ts.isSourceFile(node) ||
    ts.isBlock(node) ||
    ts.isModuleBlock(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isForStatement(node)
  );
}

function addStatement(scope: Map<string, Binding>, statement: ts.Statement): void {
  if (ts.isImportDeclaration(statement)) {
    addImport(scope, statement);
  } else if (ts.isImportEqualsDeclaration(statement)) {
    const { moduleReference } = statement;
    const module =
      ts.isExternalModuleReference(moduleReference) &&
      ts.isStringLiteral(moduleReference.expression)
        ? moduleReference.expression.text
        : undefined;
    if (module !== undefined) {
      scope.set(statement.name.text, { kind: 'import', module, name: '*' });
    }
  } else if (ts.isVariableStatement(statement)) {
    for (const declaration of statement.declarationList.declarations) {
      addVariable(scope, declaration);
    }
  } else if (ts.isFunctionDeclaration(statement) && statement.name) {
    scope.set(statement.name.text, { kind: 'function', declaration: statement });
  } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    if (!scope.has(statement.name.text)) {
      scope.set(statement.name.text, { kind: 'type', declaration: statement });
    }
  } else if (
    (ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) &&
    statement.name
  ) {
    scope.set(statement.name.text, { kind: 'other', declaration: statement });
  }
}

function addImport(scope: Map<string, Binding>, statement: ts.ImportDeclaration): void {
  if (!ts.isStringLiteral(statement.moduleSpecifier) || !statement.importClause) return;
  const module = statement.moduleSpecifier.text;
  const { name, namedBindings } = statement.importClause;
  if (name) scope.set(name.text, { kind: 'import', module, name: 'default' });
  if (namedBindings && ts.isNamespaceImport(namedBindings)) {
    scope.set(namedBindings.name.text, { kind: 'import', module, name: '*' });
  } else if (namedBindings) {
    for (const element of namedBindings.elements) {
      const imported = (element.propertyName ?? element.name).text;
      scope.set(element.name.text, { kind: 'import', module, name: imported });
    }
  }
}

function addVariable(scope: Map<string, Binding>, declaration: ts.VariableDeclaration): void {
  const required = declaration.initializer && requiredModule(declaration.initializer);
  if (required === undefined) {
    addName(scope, declaration.name, declaration);
  } else if (ts.isIdentifier(declaration.name)) {
    scope.set(declaration.name.text, { kind: 'import', ...required });
  } else if (ts.isObjectBindingPattern(declaration.name) && required.name === '*') {
    for (const { name, propertyName } of declaration.name.elements) {
      if (!ts.isIdentifier(name)) continue;
      const imported = propertyName && ts.isIdentifier(propertyName) ? propertyName : name;
      scope.set(name.text, { kind: 'import', module: required.module, name: imported.text });
    }
  }
}

function addName(
  scope: Map<string, Binding>,
  name: ts.BindingName,
  declaration: ts.VariableDeclaration | ts.ParameterDeclaration,
): void {
  if (ts.isIdentifier(name)) {
    scope.set(
      name.text,
      ts.isParameter(declaration)
        ? { kind: 'parameter', declaration }
        : { kind: 'variable', declaration },
    );
    return;
  }
  for (const element of name.elements) {
    if (ts.isOmittedExpression(element)) continue;
    if (ts.isIdentifier(element.name)) {
      scope.set(element.name.text, { kind: 'destructured', element, declaration });
    } else {
      addName(scope, element.name, declaration);
    }
  }
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
  bindings: Bindings,
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
export function staticText(expression: ts.Expression, bindings: Bindings): string | undefined {
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

/** The initializer of a name that is declared once, by `const` in this file. */
export function constantValue(
  identifier: ts.Identifier,
  bindings: Bindings,
): ts.Expression | undefined {
  const binding = bindings.of(identifier);
  if (binding?.kind !== 'variable') return undefined;
  const list = binding.declaration.parent;
  const constant = ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.Const) !== 0;
  return constant ? binding.declaration.initializer : undefined;
}

function memberText(access: ts.PropertyAccessExpression, bindings: Bindings): string | undefined {
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
  bindings: Bindings,
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

export function isExported(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}
