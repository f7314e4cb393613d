import { ts } from 'ts-morph';
import { requiredModule } from '../source/bindings.ts';
import { type Edit, insertion } from '../source/edit.ts';
import { endsLine, indentation, lineEnd, lineStart, nextLine } from '../source/lines.ts';
import type { Style } from '../source/style.ts';
import { quoted } from './code.ts';
import { firstLine } from './firstLine.ts';
import type { Names } from './names.ts';

/** An export of a package that inserted code uses. */
export interface Needed {
  readonly module: string;
  readonly name: string;
}

export interface Imported {
  readonly edits: readonly Edit[];
  /** What a needed export is called in this file. */
  local(name: string): string;
}

/**
 * Imports what is needed after the last import of the file, or in the imports that it already has of
 * the same package.
 * @param before where the names are used first; a `require` has to come earlier
 */
export function addImports(
  file: ts.SourceFile,
  needed: readonly Needed[],
  style: Style,
  names: Names,
  before: number,
): Imported {
  const locals = new Map<string, string>();
  const merged: Edit[] = [];
  const lines: string[] = [];
  const lists = importLists(file).filter(({ end }) => end <= before || style.modules === 'esm');
  for (const module of [...new Set(needed.map((each) => each.module))].sort()) {
    const own = lists.filter((list) => list.module === module);
    const missing: string[] = [];
    for (const { name } of needed.filter((each) => each.module === module)) {
      const local = own.map((list) => list.names.get(name)).find(Boolean);
      if (local !== undefined) locals.set(name, local);
      else if (!missing.includes(name)) missing.push(name);
    }
    if (missing.length === 0) continue;
    const specifiers = missing.sort().map((name) => {
      const local = names.fresh(name);
      locals.set(name, local);
      const as = style.modules === 'esm' ? ' as ' : ': ';
      return local === name ? name : `${name}${as}${local}`;
    });
    const open = own.find((list) => list.last !== undefined);
    if (open?.last) merged.push(merge(file, open.last, specifiers, style));
    else lines.push(importLine(module, specifiers, style));
  }
  return {
    edits: lines.length > 0 ? [...merged, insertLines(file, lines, style, before)] : merged,
    local: (name) => locals.get(name) ?? name,
  };
}

interface ImportList {
  readonly module: string;
  readonly end: number;
  /** Exported name → local name. */
  readonly names: ReadonlyMap<string, string>;
  /** The last element of a list that can take more. */
  readonly last: ts.Node | undefined;
}

/** The imports of values that a file has, by `import` and by `require`. */
export function importLists(file: ts.SourceFile): readonly ImportList[] {
  return file.statements.flatMap((statement): readonly ImportList[] => {
    if (ts.isImportDeclaration(statement)) return esmList(statement);
    return ts.isVariableStatement(statement) ? requireLists(statement) : [];
  });
}

function esmList(statement: ts.ImportDeclaration): readonly ImportList[] {
  const { importClause: clause, moduleSpecifier } = statement;
  if (!clause || clause.isTypeOnly || !ts.isStringLiteral(moduleSpecifier)) return [];
  const bindings = clause.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return [];
  const values = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  return [
    {
      module: moduleSpecifier.text,
      end: statement.end,
      names: new Map(
        values.map(({ propertyName, name }) => [(propertyName ?? name).text, name.text]),
      ),
      last: bindings.elements.at(-1),
    },
  ];
}

function requireLists(statement: ts.VariableStatement): readonly ImportList[] {
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const required = initializer && requiredModule(initializer);
    if (required?.name !== '*' || !ts.isObjectBindingPattern(name)) return [];
    const names = name.elements.flatMap((element) =>
      ts.isIdentifier(element.name) && !element.dotDotDotToken
        ? [[(element.propertyName ?? element.name).getText(), element.name.text] as const]
        : [],
    );
    const last = name.elements.some(({ dotDotDotToken }) => dotDotDotToken)
      ? undefined
      : name.elements.at(-1);
    return [{ module: required.module, end: statement.end, names: new Map(names), last }];
  });
}

function merge(
  file: ts.SourceFile,
  last: ts.Node,
  specifiers: readonly string[],
  { eol }: Style,
): Edit {
  const lines = file.text.slice(last.parent.getStart(file), last.parent.end).includes('\n');
  const gap = lines ? `,${eol}${indentation(file.text, last.getStart(file))}` : ', ';
  return insertion(last.end, specifiers.map((specifier) => gap + specifier).join(''));
}

function importLine(module: string, specifiers: readonly string[], style: Style): string {
  const { eol, indent, semicolons, modules, declare, width, trailingCommas } = style;
  const pad = style.spacedBraces ? ' ' : '';
  const end = semicolons ? ';' : '';
  const from = quoted(module, style);
  const [start, rest] =
    modules === 'esm' ? ['import', ` from ${from}`] : [declare, ` = require(${from})`];
  const line = `${start} {${pad}${specifiers.join(', ')}${pad}}${rest}${end}`;
  if (line.length <= width) return line;
  const comma = trailingCommas ? ',' : '';
  return `${start} {${eol}${indent}${specifiers.join(`,${eol}${indent}`)}${comma}${eol}}${rest}${end}`;
}

/** Whole lines behind the last import, or in front of the first statement. */
function insertLines(
  file: ts.SourceFile,
  lines: readonly string[],
  { eol, modules }: Style,
  before: number,
): Edit {
  const { text } = file;
  const last = file.statements
    .filter((at) => (modules === 'esm' ? isImport(at) : isRequire(at) && at.end <= before))
    .at(-1);
  const block = lines.join(eol) + eol;
  if (!last) return insertion(firstLine(file), block + eol);
  // Another statement on its last line keeps that line whole.
  if (!endsLine(text, last.end)) return insertion(lineStart(text, last.getStart(file)), block);
  const next = nextLine(text, last.end);
  return next === text.length && lineEnd(text, last.end) === text.length
    ? insertion(next, eol + lines.join(eol))
    : insertion(next, block);
}

export function isImport(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement);
}

/** `const x = require('m')`, `require('m')` and `require('dotenv').config()`. */
export function isRequire(statement: ts.Statement): boolean {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && beginsWithRequire(initializer),
    );
  }
  return ts.isExpressionStatement(statement) && beginsWithRequire(statement.expression);
}

function beginsWithRequire(expression: ts.Expression): boolean {
  let at = expression;
  while (ts.isCallExpression(at) || ts.isPropertyAccessExpression(at)) {
    if (requiredModule(at)) return true;
    at = at.expression;
  }
  return false;
}
