import { ts } from 'ts-morph';
import { nextPath } from '../routes/nextPath.ts';
import { lineNumber } from '../source/lines.ts';
import { parseSource, unlessTooDeep } from '../source/sourceFile.ts';
import type { ProjectFiles } from './project.ts';
import { relativePath } from './relativePath.ts';

/** A file that uses a handler which a Next.js route file exports. */
export interface Importer {
  /** From the folder of the project. */
  readonly path: string;
  readonly line: number;
  /** The exports that it uses; `*` for any of them. */
  readonly names: readonly string[];
}

/** Maximum number of files that are read for one route file. */
const MAX_FILES = 20_000;

/**
 * Finds the files of a project that import the handlers of a Next.js route file, or export them again. The export of a sold
 * handler is the paid one, so they would get that.
 * @param file with `/`
 * @param folder folder of the nearest package.json
 * @returns empty for any other file, and if the caller cannot list a folder
 */
export async function importersOf(
  file: string,
  folder: string,
  files: ProjectFiles,
): Promise<readonly Importer[]> {
  if (nextPath(file.slice(folder.length + 1))?.kind !== 'app') return [];
  const found: Importer[] = [];
  for (const path of ((await files.scripts?.(folder)) ?? []).slice(0, MAX_FILES)) {
    if (path === file) continue;
    const text = await files.read(path);
    // Each specifier ends with the folder's or the file's name, so most files need no parser.
    if (text === undefined || !/\broute\b/.test(text)) continue;
    const uses = unlessTooDeep(() => usesIn(path, text, file), []);
    found.push(...uses.map((use) => ({ ...use, path: path.slice(folder.length + 1) })));
  }
  return found;
}

function usesIn(path: string, text: string, file: string): readonly Omit<Importer, 'path'>[] {
  const source = parseSource(path, text);
  const found: Omit<Importer, 'path'>[] = [];
  const leads = (specifier: ts.Node | undefined) =>
    specifier !== undefined &&
    ts.isStringLiteralLike(specifier) &&
    leadsTo(specifier.text, path, file);
  const add = (node: ts.Node, names: readonly string[]) => {
    if (names.length > 0) found.push({ line: lineNumber(text, node.getStart(source)), names });
  };
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && leads(node.moduleSpecifier)) add(node, importedNames(node));
    else if (ts.isExportDeclaration(node) && leads(node.moduleSpecifier)) {
      add(node, exportedNames(node));
    } else if (ts.isCallExpression(node) && isLoad(node) && leads(node.arguments[0])) {
      add(node, ['*']);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** `import('./route')`, `require('./route')`. */
function isLoad({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  );
}

function importedNames({ importClause: clause }: ts.ImportDeclaration): readonly string[] {
  // Types disappear.
  if (!clause || clause.isTypeOnly) return [];
  const { namedBindings: list } = clause;
  if (!list) return [];
  if (!ts.isNamedImports(list)) return ['*'];
  return list.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text);
}

function exportedNames({ exportClause: clause, isTypeOnly }: ts.ExportDeclaration) {
  if (isTypeOnly) return [];
  return clause && ts.isNamedExports(clause)
    ? clause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
    : ['*'];
}

/** Whether a specifier means a file: `./route`, `../price/route.js`, or `@/app/api/price/route` by any alias of a folder. */
function leadsTo(specifier: string, from: string, file: string): boolean {
  const own = withoutExtension(file);
  const meant = withoutExtension(specifier);
  if (meant.startsWith('.')) {
    return relativePath(from.slice(0, from.lastIndexOf('/')), meant) === own;
  }
  const rest = meant.slice(meant.indexOf('/') + 1);
  return rest !== meant && own.endsWith(`/${rest}`);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}
