import { ts } from 'ts-morph';
import { nextLine } from '../source/lines.ts';
import { parseSource } from '../source/sourceFile.ts';
import { isExported } from '../source/syntax.ts';

/**
 * Prefix of each line of an export that became a comment because some of its names are paid. An export of the other names
 * follows. As a separate comment, it is not moved by any formatter.
 */
export const EXPORT_NOTE = '// svc-x402: paid below:';

/** `export { a as GET, POST } from './x'` or `export const { GET, POST } = handlers`, as code. */
export interface ExportList {
  /** Up to the brace, which is the last letter. */
  readonly head: string;
  /** From the closing brace on. */
  readonly tail: string;
  /** The text between brace and names; `undefined` if they are on several lines. */
  readonly pad: string | undefined;
  readonly members: readonly ExportMember[];
}

export interface ExportMember {
  /** The name under which others import it. */
  readonly name: string;
  readonly code: string;
}

/** An export that became a comment. */
export interface NotedExport {
  /** Range of its lines, without the last line end. */
  readonly start: number;
  readonly end: number;
  /** The original export. */
  readonly list: ExportList;
  /** The export of its unpaid names. */
  readonly rest: RestOfExport | undefined;
}

export interface RestOfExport {
  readonly statement: ts.Statement;
  readonly list: ExportList;
}

/** The names of an export with several names, as code. */
export function exportList(statement: ts.Statement): ExportList | undefined {
  const names = namesOf(statement);
  const [first] = names?.elements ?? [];
  if (!names || !first) return undefined;
  const { text } = statement.getSourceFile();
  const open = names.getStart() + 1;
  const pad = text.slice(open, first.getStart());
  return {
    head: text.slice(statement.getStart(), open),
    tail: text.slice(names.end - 1, statement.end),
    pad: text.slice(open, names.end).includes('\n') ? undefined : pad,
    members: names.elements.map((element) => ({
      // A name may be a text: export { h as "GET" }.
      name: ts.isStringLiteral(element.name) ? element.name.text : element.name.getText(),
      code: element.getText(),
    })),
  };
}

function namesOf(statement: ts.Statement): ts.NamedExports | ts.ObjectBindingPattern | undefined {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: clause } = statement;
    return clause && ts.isNamedExports(clause) ? clause : undefined;
  }
  if (!ts.isVariableStatement(statement) || !isExported(statement)) return undefined;
  const [declaration, second] = statement.declarationList.declarations;
  return declaration && !second && ts.isObjectBindingPattern(declaration.name)
    ? declaration.name
    : undefined;
}

/** The exports of a file that became comments. */
export function notedExports(file: ts.SourceFile): readonly NotedExport[] {
  const { text } = file;
  if (!text.includes(EXPORT_NOTE)) return [];
  return notes(text).flatMap(({ start, end }): readonly NotedExport[] => {
    const [was] = parseSource(file.fileName, uncommented(text.slice(start, end))).statements;
    const list = was && exportList(was);
    return list ? [{ start, end, list, rest: restBelow(file, end, list) }] : [];
  });
}

/** The lines of exports that became comments: each begins with `export`. */
function notes(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const line of text.matchAll(NOTED_LINE)) {
    const start = line.index + (line[1]?.length ?? 0);
    const end = line.index + line[0].length;
    const last = found.at(-1);
    const continues = last && nextLine(text, last.end) === line.index;
    if (continues && !/^\s*export\b/.test(line[2] ?? '')) last.end = end;
    else found.push({ start, end });
  }
  return found;
}

const NOTED_LINE = new RegExp(`^([^\\S\\n]*)${EXPORT_NOTE}(.*)$`, 'gm');

function uncommented(lines: string): string {
  return lines.replaceAll(new RegExp(`^([^\\S\\n]*)${EXPORT_NOTE} ?`, 'gm'), '$1');
}

/** The export below a comment that has some of its names. */
function restBelow(
  file: ts.SourceFile,
  end: number,
  { head, tail, members }: ExportList,
): RestOfExport | undefined {
  const below = nextLine(file.text, end);
  const statement = file.statements.find((each) => each.getStart(file) === below);
  const list = statement && exportList(statement);
  const isSame =
    list?.head === head &&
    list.tail === tail &&
    list.members.some(({ name }) => members.some((member) => member.name === name));
  return statement && isSame ? { statement, list } : undefined;
}
