import type { ts } from 'ts-morph';
import { deletion, type Edit, insertion } from '../../source/edit.ts';
import {
  beginsLine,
  endsLine,
  indentation,
  lineEnd,
  lineStart,
  nextLine,
} from '../../source/lines.ts';
import type { Style } from '../../source/style.ts';

/** Where a literal's members begin: on the line of its brace, or on lines of their own. */
interface Opening {
  /** The offset after the brace. */
  readonly after: number;
  /** White space between the brace and the first member; `undefined` if it contains line ends. */
  readonly gap: string | undefined;
  /** The indentation of the first member that has its own line. */
  readonly indent: string;
}

function openingOf(literal: ts.ObjectLiteralExpression): Opening | undefined {
  const file = literal.getSourceFile();
  const [first] = literal.properties;
  if (!first) return undefined;
  const after = literal.getStart(file) + 1;
  const start = first.getStart(file);
  const between = file.text.slice(after, start);
  if (/^[ \t]*$/.test(between)) return { after, gap: between, indent: '' };
  const own = endsLine(file.text, after) && beginsLine(file.text, start) && between.includes('\n');
  return own ? { after, gap: undefined, indent: indentation(file.text, start) } : undefined;
}

/**
 * Whether a member, without its comma, can be inserted before the others so that formatters leave it there and removing it
 * restores the same text: on a line of its own, or on the line of the brace if there is room.
 */
export function takesFirst(
  literal: ts.ObjectLiteralExpression,
  member: string,
  { width }: Style,
): boolean {
  const opening = openingOf(literal);
  if (opening?.gap === undefined) return opening !== undefined;
  const { text } = literal.getSourceFile();
  const line = lineEnd(text, opening.after) - lineStart(text, opening.after);
  return line + member.length + ', '.length <= width;
}

/** The indentation of a new first member; `undefined` if it is on the line of the brace. */
export function ownLine(literal: ts.ObjectLiteralExpression): string | undefined {
  const opening = openingOf(literal);
  return opening?.gap === undefined ? opening?.indent : undefined;
}

/** Inserts a member, without its comma, before all others of a literal. */
export function insertFirst(
  literal: ts.ObjectLiteralExpression,
  member: string,
  { eol }: Style,
): readonly Edit[] {
  const opening = openingOf(literal);
  if (!opening) return [];
  const { after, gap, indent } = opening;
  const text = member.replaceAll('\n', eol);
  if (gap === undefined) {
    const at = nextLine(literal.getSourceFile().text, after);
    return [insertion(at, `${indent}${text},${eol}`)];
  }
  return [insertion(after, gap === '' ? `${text}, ` : `${gap}${text},`)];
}

/** Removes the first member of a literal, exactly as inserted; `undefined` for any other member. */
export function removeFirst(
  literal: ts.ObjectLiteralExpression,
  member: ts.ObjectLiteralElementLike,
): Edit | undefined {
  const file = literal.getSourceFile();
  const { text } = file;
  const [first, second] = literal.properties;
  if (first !== member || !second) return undefined;
  const start = member.getStart(file);
  const comma = text.indexOf(',', member.end) + 1;
  if (comma === 0 || text.slice(member.end, comma).trim() !== ',') return undefined;
  const after = literal.getStart(file) + 1;
  if (beginsLine(text, start)) {
    const end = nextLine(text, comma);
    return text.slice(comma, end).trim() === '' ? deletion(lineStart(text, start), end) : undefined;
  }
  return start === after ? deletion(start, second.getStart(file)) : deletion(after, comma);
}
