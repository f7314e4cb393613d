import { ts } from 'ts-morph';
import { lineStart } from '../../source/lines.ts';

/** Comments that apply to the whole file, or address tools, and stay at the top. */
const FOR_THE_FILE =
  /@ts-(check|nocheck)|eslint|biome|prettier|jshint|@(license|copyright|file|fileoverview|flow|jsx)|copyright|<reference/i;

/** Where the first statement that is not a directive begins, with the comment that belongs to it. */
export function firstLine(file: ts.SourceFile): number {
  const first = file.statements.find((statement) => !isDirective(statement));
  return first ? attachedStart(file, first) : file.text.length;
}

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}

/**
 * Start of a statement including the comments directly above it: the beginning of that line. Comments that apply to the whole
 * file do not count.
 */
export function attachedStart(file: ts.SourceFile, statement: ts.Node): number {
  const { text } = file;
  let start = statement.getStart(file);
  for (const comment of leadingComments(text, statement).reverse()) {
    const between = text.slice(comment.end, start);
    if (between.split('\n').length > 2) break;
    if (FOR_THE_FILE.test(text.slice(comment.pos, comment.end))) break;
    start = comment.pos;
  }
  return lineStart(text, start);
}

/** The comment directly above a statement. */
export function attachedComment(file: ts.SourceFile, statement: ts.Node): string {
  const { text } = file;
  const start = attachedStart(file, statement);
  return leadingComments(text, statement)
    .filter(({ pos }) => pos >= start)
    .map(({ pos, end }) => text.slice(pos, end))
    .join('\n');
}

function leadingComments(text: string, { pos }: ts.Node): ts.CommentRange[] {
  return ts.getLeadingCommentRanges(text, pos) ?? [];
}
