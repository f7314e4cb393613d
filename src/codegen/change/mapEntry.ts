import type { ts } from 'ts-morph';
import type { Gate } from '../gate/paymentBlocks.ts';
import { deletion, type Edit, insertion } from '../source/edit.ts';
import {
  beginsLine,
  endsLine,
  indentation,
  lineEnd,
  lineStart,
  nextLine,
} from '../source/lines.ts';
import type { Style } from '../source/style.ts';
import { type Member, writeMember } from './code.ts';

/** Writes one more key behind the last of a map, on lines of its own. */
export function appendEntry(
  file: ts.SourceFile,
  routes: ts.ObjectLiteralExpression,
  entry: Member,
  style: Style,
): readonly Edit[] {
  const { text } = file;
  const { eol } = style;
  const last = routes.properties.at(-1);
  if (!last) return [firstEntry(text, routes, entry, style)];
  const start = last.getStart(file);
  const outer = indentation(text, start);
  const indent = beginsLine(text, start) ? outer : outer + style.indent;
  const written = lines(writeMember(entry, style, indent), style);
  const comma = routes.properties.hasTrailingComma;
  const end = comma ? routes.properties.end : last.end;
  // A comment on the line of the last key stays with it.
  const place = endsLine(text, end) ? lineEnd(text, end) : end;
  const line = `${eol}${indent}${written}`;
  if (comma) return [insertion(place, `${line},`)];
  return place === end
    ? [insertion(end, `,${line}`)]
    : [insertion(end, ','), insertion(place, line)];
}

/** The first key of a map that has lost its others. */
function firstEntry(
  text: string,
  routes: ts.ObjectLiteralExpression,
  entry: Member,
  style: Style,
): Edit {
  const { eol } = style;
  const closing = routes.end - 1;
  const outer = indentation(text, closing);
  const indent = outer + style.indent;
  const comma = style.trailingCommas ? ',' : '';
  const line = `${indent}${lines(writeMember(entry, style, indent), style)}${comma}${eol}`;
  return beginsLine(text, closing)
    ? insertion(lineStart(text, closing), line)
    : insertion(closing, `${eol}${line}${outer}`);
}

/** Takes a key out of a map that has others; what stands around it is as before it came. */
export function removeEntry(
  file: ts.SourceFile,
  routes: ts.ObjectLiteralExpression,
  entry: ts.ObjectLiteralElementLike,
): readonly Edit[] {
  const { text } = file;
  const start = entry.getStart(file);
  const index = routes.properties.indexOf(entry);
  const previous = routes.properties[index - 1];
  const comma = behindComma(text, entry.end);
  const end = comma ?? entry.end;
  if (beginsLine(text, start) && endsLine(text, end)) {
    // The key before becomes the last of a map whose last has no comma.
    const freed = previous && comma === undefined ? behindComma(text, previous.end) : undefined;
    return [
      ...(freed === undefined ? [] : [deletion(freed - 1, freed)]),
      deletion(lineStart(text, start), nextLine(text, end)),
    ];
  }
  if (index === routes.properties.length - 1 && previous) {
    return [deletion(previous.end, entry.end)];
  }
  if (endsLine(text, end)) return [deletion(entry.pos, end)];
  const gap = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return [deletion(start, end + gap)];
}

/** Where the text goes on behind the comma of a key, comments before it passed over. */
function behindComma(text: string, end: number): number | undefined {
  const found = /^(?:\s|\/\/[^\n]*\n|\/\*(?:(?!\*\/)[\s\S])*\*\/)*,/.exec(text.slice(end));
  return found ? end + found[0].length : undefined;
}

/** Writes the answer to HEAD behind the others of a gate. */
export function appendHead(
  file: ts.SourceFile,
  gate: Gate,
  heads: readonly string[],
  indent: string,
  style: Style,
): readonly Edit[] {
  const last = gate.heads.at(-1) ?? gate.statement;
  const end = lineEnd(file.text, last.end);
  return [insertion(end, heads.map((line) => style.eol + indent + line).join(''))];
}

function lines(written: string, { eol }: Style): string {
  return written.replaceAll('\n', eol);
}
