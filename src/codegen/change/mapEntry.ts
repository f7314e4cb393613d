import type { ts } from 'ts-morph';
import type { Gate } from '../gate/paymentBlocks.ts';
import { type Edit, insertion } from '../source/edit.ts';
import { indentation, lineEnd, lineStart, nextLine } from '../source/lines.ts';
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
  const last = routes.properties.at(-1);
  const closing = routes.end - 1;
  if (!last) {
    const indent = indentation(text, closing) + style.indent;
    const written = lines(writeMember(entry, style, indent), style);
    return [
      insertion(
        closing,
        `${style.eol}${indent}${written}${style.eol}${indentation(text, closing)}`,
      ),
    ];
  }
  const indent = indentation(text, last.getStart(file));
  const written = lines(writeMember(entry, style, indent), style);
  const comma = routes.properties.hasTrailingComma;
  const end = comma ? text.indexOf(',', last.end) + 1 : last.end;
  return [insertion(end, `${comma ? '' : ','}${style.eol}${indent}${written}${comma ? ',' : ''}`)];
}

/** Takes a key out of a map with its lines; what stands around it is as before it came. */
export function removeEntry(
  file: ts.SourceFile,
  routes: ts.ObjectLiteralExpression,
  entry: ts.ObjectLiteralElementLike,
): Edit {
  const { text } = file;
  const index = routes.properties.indexOf(entry);
  const comma = text.slice(entry.end).match(/^\s*,/)?.[0].length ?? 0;
  const previous = routes.properties[index - 1];
  if (comma === 0 && previous) {
    return { offset: previous.end, length: entry.end - previous.end, text: '' };
  }
  const start = lineStart(text, entry.getStart(file));
  const end = nextLine(text, entry.end + comma);
  return { offset: start, length: end - start, text: '' };
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
