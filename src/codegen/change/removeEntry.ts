import type { ts } from 'ts-morph';
import { deletion, type Edit } from '../source/edit.ts';
import { beginsLine, endsLine, lineStart, nextLine } from '../source/lines.ts';

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
