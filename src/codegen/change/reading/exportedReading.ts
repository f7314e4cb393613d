import { ts } from 'ts-morph';
import type { ExportedHandler, FoundRoute } from '../../routes/foundRoute.ts';
import { beginsLine, lineNumber } from '../../source/lines.ts';
import { walk } from '../../source/syntax.ts';
import { type HandlerShape, handlerShape } from './handlerShape.ts';

/** Facts about a handler that a Next.js route file exports, as plain data. */
export interface ExportedReading {
  readonly kind: 'exported';
  readonly form: ExportedHandler['form'];
  /** The exported name, or the local name of an export list. */
  readonly name: string;
  readonly shape: HandlerShape;
  /** Start of the statement, and whether it is alone on its line. */
  readonly start: number;
  readonly ownLine: boolean;
  /** Line of another use of the handler's name. */
  readonly usedLine: number | undefined;
  /** Start of `export `, if it can be removed and restored exactly. */
  readonly keyword: number | undefined;
  /** End of the name of the function or constant. */
  readonly nameEnd: number;
  /** Position of the name to change in `{ handler as GET }` of an export from another file. */
  readonly renames: { readonly start: number; readonly end: number } | undefined;
  readonly exportsHead: boolean;
}

const EXPORT = 'export';

export function readExported(
  file: ts.SourceFile,
  route: FoundRoute,
  exported: ExportedHandler,
): ExportedReading {
  const { text } = file;
  const { form, statement, name } = exported;
  const start = statement.getStart(file);
  const keyword = exportKeyword(file, statement);
  return {
    kind: 'exported',
    form,
    name: name.text,
    shape: handlerShape(route, exported),
    start,
    ownLine: !text.slice(start, statement.end).includes('\n') && beginsLine(text, start),
    usedLine: usedElsewhere(file, name, statement),
    // What is taken away has to come back: exactly `export ` .
    keyword: keyword !== undefined && text[keyword + EXPORT.length] === ' ' ? keyword : undefined,
    nameEnd: name.end,
    renames: renamedIn(file, name),
    exportsHead: /\bexport\b[^;{]*\bHEAD\b|\bas HEAD\b|\{[^}]*\bHEAD\b[^}]*\}/.test(text),
  };
}

function renamedIn(file: ts.SourceFile, { parent }: ts.Identifier): ExportedReading['renames'] {
  return ts.isExportSpecifier(parent) && parent.propertyName !== undefined
    ? { start: parent.name.getStart(file), end: parent.name.end }
    : undefined;
}

function exportKeyword(file: ts.SourceFile, statement: ts.Statement): number | undefined {
  if (ts.isExportDeclaration(statement)) return statement.getStart(file);
  if (!ts.canHaveModifiers(statement)) return undefined;
  return ts
    .getModifiers(statement)
    ?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    ?.getStart(file);
}

function usedElsewhere(
  file: ts.SourceFile,
  name: ts.Identifier,
  statement: ts.Statement,
): number | undefined {
  if (ts.isExportDeclaration(statement)) return undefined;
  let line: number | undefined;
  walk(file, (node) => {
    if (line !== undefined || node === name || !ts.isIdentifier(node) || node.text !== name.text)
      return;
    const { parent } = node;
    const member =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isTypeNode(parent) && !ts.isTypeQueryNode(parent));
    if (!member) line = lineNumber(file.text, node.getStart(file));
  });
  return line;
}
