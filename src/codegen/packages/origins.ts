import { ts } from 'ts-morph';
import type { Origins } from '../source/bindings.ts';
import { parseSource, unlessTooDeep } from '../source/sourceFile.ts';
import { type ProjectFiles, withBudget } from './project.ts';
import { relativePath } from './relativePath.ts';

const EXTENSIONS = ['', '.ts', '.tsx', '.js', '.mjs', '/index.ts', '/index.js', '/mod.ts'];

/** Maximum number of files that re-export each other, and of files of the project that are read for one. */
const DEEPEST = 3;
const MAX_FILES = 12;

/** Characters that are parsed of the file itself, since imports are at its top, and of all others together. */
const HEAD_CHARACTERS = 20_000;
const MAX_CHARACTERS = 100_000;

/**
 * Finds where the functions and classes come from that a file imports from other files of its project: `new Hono()` with
 * `import { Hono } from './deps.ts'`.
 * @param file with `/`
 * @param aliases specifiers of an import map
 */
export async function importOrigins(
  file: string,
  text: string,
  aliases: Readonly<Record<string, string>>,
  files: ProjectFiles,
): Promise<Origins | undefined> {
  const origins: Record<string, { module: string; name?: string }> = {};
  for (const [alias, module] of Object.entries(aliases)) {
    if (!/^\.{0,2}\//.test(module) && alias !== module) origins[alias] = { module };
  }
  // Only what is called or constructed can be a server.
  const imports = unlessTooDeep(() => namedImports(file, text.slice(0, HEAD_CHARACTERS)), [])
    .filter(({ module, local }) => module.startsWith('.') && constructs(text, local))
    .slice(0, MAX_FILES);
  const moderate = withBudget(files, MAX_CHARACTERS);
  for (const { module, name } of imports) {
    const found = await originOf(file, module, name, moderate, 0);
    if (found) origins[`${module} ${name}`] = found;
  }
  return Object.keys(origins).length > 0 ? origins : undefined;
}

function constructs(text: string, local: string): boolean {
  return new RegExp(`\\b${local.replaceAll('$', '\\$')}\\s*[(<]`).test(text);
}

interface NamedImport {
  readonly module: string;
  readonly name: string;
  readonly local: string;
}

function namedImports(file: string, text: string): readonly NamedImport[] {
  return parseSource(file, text).statements.flatMap((statement): readonly NamedImport[] => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) {
      return [];
    }
    const module = statement.moduleSpecifier.text;
    const { name, namedBindings } = statement.importClause ?? {};
    const named =
      namedBindings && ts.isNamedImports(namedBindings)
        ? namedBindings.elements.map((each) => ({
            module,
            name: (each.propertyName ?? each.name).text,
            local: each.name.text,
          }))
        : [];
    return [...(name ? [{ module, name: 'default', local: name.text }] : []), ...named];
  });
}

async function originOf(
  from: string,
  module: string,
  name: string,
  files: ProjectFiles,
  depth: number,
): Promise<{ readonly module: string; readonly name: string } | undefined> {
  if (!module.startsWith('.')) return { module, name };
  if (depth > DEEPEST) return undefined;
  const at = relativePath(from.slice(0, from.lastIndexOf('/')), module);
  for (const extension of EXTENSIONS) {
    const path = at.replace(/\.js$/, extension === '' ? '.js' : '') + extension;
    const text = await files.read(path);
    if (text === undefined) continue;
    const next = unlessTooDeep(() => exportedAs(path, text, name), undefined);
    return next && originOf(path, next.module, next.name, files, depth + 1);
  }
  return undefined;
}

/** Where a file has an export from: another module that it exports, or the class that an own one extends. */
function exportedAs(
  path: string,
  text: string,
  name: string,
): { readonly module: string; readonly name: string } | undefined {
  const file = parseSource(path, text);
  const imports = namedImports(path, text);
  const imported = (local: string) => {
    const found = imports.find((each) => each.local === local);
    return found && { module: found.module, name: found.name };
  };
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, moduleSpecifier } = statement;
      const module =
        moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
      if (!clause) {
        if (module !== undefined && !module.startsWith('.')) return { module, name };
        continue;
      }
      const member = ts.isNamedExports(clause)
        ? clause.elements.find((each) => each.name.text === name)
        : undefined;
      if (!member) continue;
      const own = (member.propertyName ?? member.name).text;
      return module === undefined ? imported(own) : { module, name: own };
    }
    if (ts.isClassDeclaration(statement) && statement.name?.text === name) {
      const [base] = statement.heritageClauses?.[0]?.types ?? [];
      return base && ts.isIdentifier(base.expression) ? imported(base.expression.text) : undefined;
    }
    if (ts.isExportAssignment(statement) && name === 'default') {
      return ts.isIdentifier(statement.expression)
        ? imported(statement.expression.text)
        : undefined;
    }
  }
  return undefined;
}
