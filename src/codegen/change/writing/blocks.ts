import { BLOCK_BEGIN, BLOCK_END } from '../../gate/markers.ts';
import { type Edit, insertion } from '../../source/edit.ts';
import type { Style } from '../../source/style.ts';
import type { Place } from '../reading/places.ts';

/** A marked block in front of a statement, with an empty line behind it. */
export function blockBefore(
  { offset, indent }: Place,
  lines: readonly string[],
  style: Style,
): Edit {
  return insertion(offset, joinLines(marked(lines), indent, style) + style.eol + style.eol);
}

/** A marked block behind everything else, with an empty line in front of it. */
export function blockAtEnd(text: string, lines: readonly string[], style: Style): Edit {
  const block = joinLines(marked(lines), '', style);
  return insertion(text.trimEnd().length, style.eol + style.eol + block);
}

/** More lines at the end of a block, which ends with the line at this offset. */
export function linesInBlock(end: number, lines: readonly string[], style: Style): Edit {
  return insertion(end, style.eol + joinLines(lines, '', style) + style.eol);
}

function marked(lines: readonly string[]): readonly string[] {
  return [`// ${BLOCK_BEGIN}`, ...lines, `// ${BLOCK_END}`];
}

/** Lines with the file's line ends, each behind an indentation. */
function joinLines(lines: readonly string[], indent: string, { eol }: Style): string {
  return lines.map((line) => (line === '' ? '' : indent + line)).join(eol);
}
