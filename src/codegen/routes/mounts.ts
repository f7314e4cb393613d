import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { findIn, isExported, isMethodCall, type MethodCall } from '../source/syntax.ts';
import { bare, importedFrom, staticText } from '../source/values.ts';
import { methodCalls } from './callSites.ts';

/** Paths at which other files mount a file's exports, by export name. */
export type OutsideMounts = Readonly<Record<string, string>>;

/** An imported app, and the path at which a file mounts it. */
export interface ImportedMount {
  readonly module: string;
  /** The name of the export; `default` also for the entire module. */
  readonly name: string;
  readonly path: string;
}

/**
 * Reads the paths at which a file's Hono apps serve requests: `basePath('/v1')`, `app.route('/items', items)`.
 * A mounted app registers its routes without that path, but its middleware sees it in each request.
 */
export class Mounts {
  readonly #file: ts.SourceFile;
  readonly #bindings: Bindings;
  readonly #outside: OutsideMounts;
  #mountings: readonly MethodCall[] | undefined;
  /** Apps already visited; one still being visited refers back to itself. */
  readonly #known = new Map<ts.Node, string | undefined>();

  constructor(file: ts.SourceFile, bindings: Bindings, outside: OutsideMounts = {}) {
    this.#file = file;
    this.#bindings = bindings;
    this.#outside = outside;
  }

  /** The path prefix of an app; `''` if there is none, or the code does not show one. */
  of(app: ts.Expression): string {
    return this.#prefix(app) ?? '';
  }

  /** The apps that this file imports and mounts. */
  imported(): readonly ImportedMount[] {
    return this.#calls().flatMap((call) => {
      const [at, app] = call.arguments;
      const from = app && importedFrom(app, this.#bindings);
      const own = at && staticText(at, this.#bindings);
      const before = this.#prefix(call.expression.expression);
      if (!from || own === undefined || before === undefined) return [];
      return [{ module: from.module, name: exportName(from.name), path: joined(before, own) }];
    });
  }

  /** `undefined` if it is not certain. */
  #prefix(expression: ts.Expression): string | undefined {
    const at = bare(expression);
    if (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) {
      const before = this.#prefix(at.expression.expression);
      if (before === undefined || at.expression.name.text !== 'basePath') return before;
      const [path] = at.arguments;
      const own = path && staticText(path, this.#bindings);
      return own === undefined ? undefined : joined(before, own);
    }
    if (ts.isNewExpression(at)) {
      const holder = holderOf(at);
      if (!holder) return '';
      return this.#once(holder, () =>
        ts.isCallExpression(holder) ? this.#mountedAt(holder) : this.#outer(holder),
      );
    }
    if (!ts.isIdentifier(at)) return '';
    const binding = this.#bindings.of(at);
    if (binding?.kind !== 'variable') return '';
    const { initializer } = binding.declaration;
    return initializer ? this.#once(initializer, () => this.#prefix(initializer)) : '';
  }

  #once(node: ts.Node, read: () => string | undefined): string | undefined {
    if (this.#known.has(node)) return this.#known.get(node);
    this.#known.set(node, undefined);
    const path = read();
    this.#known.set(node, path);
    return path;
  }

  /** The path of `app.route(path, new Hono())`, which also creates the app. */
  #mountedAt(call: ts.CallExpression): string | undefined {
    const [path] = call.arguments;
    const own = path && staticText(path, this.#bindings);
    const before = isMethodCall(call) ? this.#prefix(call.expression.expression) : undefined;
    return before === undefined || own === undefined ? undefined : joined(before, own);
  }

  /** Where a declared app is mounted. */
  #outer(holder: ts.VariableDeclaration | ts.ExportAssignment): string | undefined {
    if (ts.isExportAssignment(holder)) return this.#outside['default'] ?? '';
    const paths = new Set<string | undefined>();
    for (const call of this.#calls()) {
      const [at, app] = call.arguments;
      if (!at || !app || this.#declarationOf(app) !== holder) continue;
      const before = this.#prefix(call.expression.expression);
      const own = staticText(at, this.#bindings);
      paths.add(before === undefined || own === undefined ? undefined : joined(before, own));
    }
    for (const name of exportsOf(holder, this.#file)) {
      const path = this.#outside[name];
      if (path !== undefined) paths.add(path);
    }
    const [only] = paths;
    return paths.size === 0 ? '' : paths.size === 1 ? only : undefined;
  }

  #declarationOf(app: ts.Expression): ts.VariableDeclaration | undefined {
    const at = bare(app);
    const binding = ts.isIdentifier(at) ? this.#bindings.of(at) : undefined;
    return binding?.kind === 'variable' ? binding.declaration : undefined;
  }

  /** The calls of `route(path, app)`. */
  #calls(): readonly MethodCall[] {
    this.#mountings ??= methodCalls(this.#file).filter(
      ({ expression, arguments: given }) => expression.name.text === 'route' && given.length === 2,
    );
    return this.#mountings;
  }
}

/** Joins a mount's path and a path below it, as Hono does. */
export function joined(before: string, path: string): string {
  const front = before.replace(/(?<!\/)\/+$/, '');
  const back = path.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
  return back === '' ? front : `${front}/${back}`;
}

/** `const app = new Hono().use(…)`, `export default new Hono().use(…)`, `app.route('/x', new Hono().use(…))`. */
function holderOf(
  made: ts.NewExpression,
): ts.VariableDeclaration | ts.ExportAssignment | ts.CallExpression | undefined {
  let at: ts.Node = made;
  for (;;) {
    const { parent } = at;
    const within =
      ts.isPropertyAccessExpression(parent) ||
      (ts.isCallExpression(parent) && parent.expression === at) ||
      (ts.isExpression(parent) && bare(parent) === bare(at as ts.Expression));
    if (!within) break;
    at = parent;
  }
  const holder = at.parent;
  if (isMethodCall(holder) && holder.expression.name.text === 'route') {
    return holder.arguments.length === 2 && holder.arguments[1] === at ? holder : undefined;
  }
  return ts.isVariableDeclaration(holder) || ts.isExportAssignment(holder) ? holder : undefined;
}

/** The names under which a file exports a variable. */
function exportsOf(declaration: ts.VariableDeclaration, file: ts.SourceFile): readonly string[] {
  const { name } = declaration;
  if (!ts.isIdentifier(name)) return [];
  const statement = declaration.parent.parent;
  if (!ts.isVariableStatement(statement) || statement.parent !== file) return [];
  const inline = isExported(statement) ? [name.text] : [];
  return [...inline, ...file.statements.flatMap((each) => exportedAs(each, name.text))];
}

/** `export { app as name }`, `export default app`, `module.exports = app`, `module.exports = { app }`, `exports.name = app`. */
function exportedAs(statement: ts.Statement, local: string): readonly string[] {
  if (ts.isExportAssignment(statement)) {
    return bare(statement.expression).getText() === local ? ['default'] : [];
  }
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, moduleSpecifier } = statement;
    if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return [];
    return exportClause.elements
      .filter(({ name, propertyName }) => (propertyName ?? name).text === local)
      .map(({ name }) => name.text);
  }
  const set = ts.isExpressionStatement(statement) ? statement.expression : undefined;
  if (!set || !ts.isBinaryExpression(set)) return [];
  const target = set.left.getText();
  const value = bare(set.right);
  if (target === 'module.exports' && ts.isObjectLiteralExpression(value)) {
    const found = findIn(value, (node) =>
      ts.isShorthandPropertyAssignment(node) && node.name.text === local ? node : undefined,
    );
    return found ? [local] : [];
  }
  if (value.getText() !== local) return [];
  if (target === 'module.exports') return ['default'];
  return /^(?:module\.)?exports\.(\w+)$/.exec(target)?.slice(1) ?? [];
}

function exportName(name: string): string {
  return name === '*' ? 'default' : name;
}
