import { ts } from 'ts-morph';
import { exportList, notedExports } from '../../routes/exportLists.ts';
import type { ExportedHandler, FoundRoute } from '../../routes/foundRoute.ts';
import { beginsLine, endsLine, lineEnd, lineNumber, nextLine } from '../../source/lines.ts';
import { walk } from '../../source/syntax.ts';
import type { ExportPlace } from '../sharedExports.ts';
import { type HandlerShape, handlerShape } from './handlerShape.ts';

/** Facts about a handler that a Next.js route file exports, as plain data. */
export interface ExportedReading {
  readonly kind: 'exported';
  readonly form: ExportedHandler['form'];
  /** The exported name, or the local name of an export list. */
  readonly name: string;
  readonly shape: HandlerShape;
  /** Start of the statement. */
  readonly start: number;
  /** Line of another use of the handler's name. */
  readonly usedLine: number | undefined;
  /** Start of `export `, if it can be removed and restored exactly. */
  readonly keyword: number | undefined;
  /** End of the name of the function or constant. */
  readonly nameEnd: number;
  /** Position of the name to change in `{ handler as GET }` of an export from another file. */
  readonly renames: { readonly start: number; readonly end: number } | undefined;
  readonly exportsHead: boolean;
  /** Line of something else in the file that has the name of the method. */
  readonly namedLine: number | undefined;
  /** The member of an export of several names. */
  readonly taken: TakenMember | undefined;
}

export interface TakenMember {
  /** The export, if it has lines of its own. */
  readonly place: ExportPlace | undefined;
  /** The handler's name in its source. */
  readonly name: string;
  /** The handler's source, as code: a module's name in quotes, or an object. */
  readonly from: string | undefined;
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
    usedLine: usedElsewhere(file, name, statement),
    // What is removed has to be restorable: exactly `export ` .
    keyword: keyword !== undefined && text[keyword + EXPORT.length] === ' ' ? keyword : undefined,
    nameEnd: name.end,
    renames: renamedIn(file, name),
    namedLine: namedLike(file, route.method, exported),
    taken: exported.member && takenMember(file, statement, exported.member),
    exportsHead: exportsHead(text),
  };
}

/** Whether a text may export HEAD: after `export`, as a new name, or in a list. Reads each character once. */
function exportsHead(text: string): boolean {
  if (/\bas HEAD\b/.test(text)) return true;
  let [exporting, listing, listed] = [false, false, false];
  for (const [word] of text.matchAll(/\b(?:export|HEAD)\b|[;{}]/g)) {
    if (word === 'HEAD') {
      if (exporting) return true;
      listed = listing;
    } else if (word === '}') {
      if (listed) return true;
      listing = false;
    } else {
      exporting = word === 'export';
      if (word === '{') listing = true;
    }
  }
  return false;
}

/** A name in the file that the paid export would declare again. */
function namedLike(
  file: ts.SourceFile,
  method: string,
  { form, statement }: ExportedHandler,
): number | undefined {
  if (form !== 'list' && form !== 'from') return undefined;
  const found = file.statements
    .filter((each) => each !== statement)
    .flatMap((each): readonly (ts.Node | undefined)[] => {
      if (ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)) return [each.name];
      if (ts.isVariableStatement(each))
        return each.declarationList.declarations.map((one) => one.name);
      if (!ts.isImportDeclaration(each)) return [];
      const { name, namedBindings: named } = each.importClause ?? {};
      const list = named && ts.isNamedImports(named) ? named.elements.map((one) => one.name) : [];
      return [name, ...list];
    })
    .find((name) => name?.getText(file) === method);
  return found && lineNumber(file.text, found.getStart(file));
}

function takenMember(
  file: ts.SourceFile,
  statement: ts.Statement,
  member: ts.ExportSpecifier | ts.BindingElement,
): TakenMember {
  const { parent } = member;
  const source = ts.isExportSpecifier(member)
    ? member.parent.parent.moduleSpecifier
    : ts.isVariableDeclaration(parent.parent)
      ? parent.parent.initializer
      : undefined;
  return {
    place: placeOf(file, statement),
    name: (member.propertyName ?? member.name).getText(),
    from: source?.getText(),
  };
}

function placeOf(file: ts.SourceFile, statement: ts.Statement): ExportPlace | undefined {
  const { text } = file;
  const start = statement.getStart(file);
  const { end } = statement;
  const list = exportList(statement);
  if (!list || !beginsLine(text, start) || !endsLine(text, end)) return undefined;
  const lines: ExportPlace['lines'][number][] = [];
  for (let at = nextLine(text, start); at < end; at = nextLine(text, at)) {
    lines.push({ start: at, empty: lineEnd(text, at) === at });
  }
  const above = notedExports(file).find(({ rest }) => rest?.statement === statement);
  return { start, end, lines, lineEnd: lineEnd(text, end), noted: above?.end, list };
}

function renamedIn(
  file: ts.SourceFile,
  { parent }: ts.ModuleExportName,
): ExportedReading['renames'] {
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
  name: ts.ModuleExportName,
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
