import type { ts } from 'ts-morph';
import { deletion, type Edit } from '../source/edit.ts';
import { beginsLine, endsLine, gapAfter, lineStart, nextLine } from '../source/lines.ts';

/** Removes one of several keys from a map and restores the text around it. */
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
    // The previous key becomes the last one, and the last one in this map has no comma.
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
  return [deletion(start, end + gapAfter(text, end))];
}

/** Returns the offset after a key's comma, skipping comments before it. */
function behindComma(text: string, end: number): number | undefined {
  const found = /^(?:\s|\/\/[^\n]*\n|\/\*(?:(?!\*\/)[\s\S])*\*\/)*,/.exec(text.slice(end));
  return found ? end + found[0].length : undefined;
}
