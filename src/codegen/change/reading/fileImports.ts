import { ts } from 'ts-morph';
import { markedBlocks } from '../../gate/markers.ts';
import { endsLine, indentation, lineEnd, lineStart, nextLine } from '../../source/lines.ts';
import { requiredModule } from '../../source/values.ts';
import { firstLine } from './firstLine.ts';

/** The imports of a file, and the places for new ones. */
export interface FileImports {
  readonly lists: readonly ImportList[];
  /** Statements that import with `import` or `require`, first to last. */
  readonly statements: readonly ImportStatement[];
  /** Start of the first statement that is not a directive. */
  readonly firstLine: number;
}

/** Names that a statement imports from a module. */
export interface ImportList {
  readonly module: string;
  /** End of the statement. */
  readonly end: number;
  /** Exported name → local name. */
  readonly names: ReadonlyMap<string, string>;
  /** Position of the last name in an extensible list. */
  readonly open: OpenList | undefined;
}

export interface OpenList {
  readonly end: number;
  /** In front of the last name; `undefined` for a list on one line. */
  readonly indent: string | undefined;
  /** Width of its line in characters. */
  readonly width: number;
}

export interface ImportStatement {
  readonly kind: 'import' | 'require';
  readonly end: number;
  /** Place for new lines: after it, or before it if another statement shares its last line. */
  readonly next: number;
  /** Whether the file ends with it, without a final line end. */
  readonly endsText: boolean;
}

/** Reads a file's value imports, from `import` and `require`. */
export function readImports(file: ts.SourceFile): FileImports {
  const blocks = markedBlocks(file.text);
  // A payment's block can import the handler that it wraps; that import is removed with the block.
  const statements = file.statements.filter(
    (statement) =>
      !blocks.some(({ start, end }) => start <= statement.getStart(file) && statement.end <= end),
  );
  return {
    lists: statements.flatMap((statement): readonly ImportList[] => {
      if (ts.isImportDeclaration(statement)) return esmList(file, statement);
      return ts.isVariableStatement(statement) ? requireLists(file, statement) : [];
    }),
    statements: statements.flatMap((statement) => {
      if (isImport(statement)) return [placed(file, statement, 'import')];
      return isRequire(statement) ? [placed(file, statement, 'require')] : [];
    }),
    firstLine: firstLine(file),
  };
}

function esmList(file: ts.SourceFile, statement: ts.ImportDeclaration): readonly ImportList[] {
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
      open: openList(file, bindings.elements.at(-1)),
    },
  ];
}

function requireLists(file: ts.SourceFile, statement: ts.VariableStatement): readonly ImportList[] {
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
    const open = openList(file, last);
    return [{ module: required.module, end: statement.end, names: new Map(names), open }];
  });
}

function openList(file: ts.SourceFile, last: ts.Node | undefined): OpenList | undefined {
  if (!last) return undefined;
  const { text } = file;
  const lines = text.slice(last.parent.getStart(file), last.parent.end).includes('\n');
  return {
    end: last.end,
    indent: lines ? indentation(text, last.getStart(file)) : undefined,
    width: lineEnd(text, last.end) - lineStart(text, last.end),
  };
}

function placed(
  file: ts.SourceFile,
  statement: ts.Statement,
  kind: ImportStatement['kind'],
): ImportStatement {
  const { text } = file;
  const { end } = statement;
  // A line shared with another statement must not be split.
  if (!endsLine(text, end)) {
    return { kind, end, next: lineStart(text, statement.getStart(file)), endsText: false };
  }
  const next = nextLine(text, end);
  return { kind, end, next, endsText: next === text.length && lineEnd(text, end) === text.length };
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
