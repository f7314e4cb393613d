import { ts } from 'ts-morph';
import { packageName } from './moduleNames.ts';
import { type Binding, requiredModule } from './values.ts';

/** By `module name` as the file imports it, or by the module alone if all of its names are of another module. */
export type Origins = Readonly<Record<string, { readonly module: string; readonly name?: string }>>;

type Scope = ReadonlyMap<string, Binding>;

/**
 * Resolves names by the scopes of one file. It reads no types and no other files, so it is as fast as the parser.
 */
export class Bindings {
  readonly #origins: Origins;

  /** @param origins where names come from that the file imports from others of its project, and aliases of modules */
  constructor(origins: Origins = {}) {
    this.#origins = origins;
  }

  readonly #scopes = new Map<ts.Node, Scope>();

  /** The declaration that an identifier refers to; `undefined` for globals. */
  of(identifier: ts.Identifier): Binding | undefined {
    return this.named(identifier.text, identifier);
  }

  /** The declaration that a name refers to at a place in the code. */
  named(name: string, place: ts.Node): Binding | undefined {
    for (let at = place.parent as ts.Node | undefined; at; at = at.parent) {
      if (!isScope(at)) continue;
      const binding = this.#scope(at).get(name);
      if (binding) return binding.kind === 'import' ? this.#origin(binding) : binding;
    }
    return undefined;
  }

  #origin({ module, name }: Binding & { readonly kind: 'import' }): Binding {
    const from = this.#origins[`${module} ${name}`] ?? this.#origins[module];
    return {
      kind: 'import',
      module: packageName(from?.module ?? module),
      name: from?.name ?? name,
    };
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
