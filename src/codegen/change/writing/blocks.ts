import { BLOCK_BEGIN, BLOCK_END } from '../../gate/markers.ts';
import { type Edit, insertion } from '../../source/edit.ts';
import type { Style } from '../../source/style.ts';
import type { Place } from '../reading/places.ts';

/** Returns a marked block before a statement, with an empty line after it. */
export function blockBefore(
  { offset, indent }: Place,
  lines: readonly string[],
  style: Style,
): Edit {
  return insertion(offset, joinLines(marked(lines), indent, style) + style.eol + style.eol);
}

/**
 * Returns a marked block between the calls of a chain. If the next call continues a line, the first mark does, too, so that the
 * line can be restored.
 */
export function blockInChain(
  { offset, indent, inChain }: Place,
  lines: readonly string[],
  style: Style,
): Edit {
  const block = joinLines(marked(lines), indent, style);
  return inChain === 'between_lines'
    ? insertion(offset, block + style.eol)
    : insertion(offset, ` ${block.trimStart()}${style.eol}${indent}`);
}

/** Returns a marked block at the end of the file, with an empty line before it. */
export function blockAtEnd(text: string, lines: readonly string[], style: Style): Edit {
  const block = joinLines(marked(lines), '', style);
  return insertion(text.trimEnd().length, style.eol + style.eol + block);
}

/** Adds lines at the end of the block whose last line is at this offset. */
export function linesInBlock(end: number, lines: readonly string[], style: Style): Edit {
  return insertion(end, style.eol + joinLines(lines, '', style) + style.eol);
}

function marked(lines: readonly string[]): readonly string[] {
  return [`// ${BLOCK_BEGIN}`, ...lines, `// ${BLOCK_END}`];
}

/** Joins lines with the file's line ends and an indentation. */
function joinLines(lines: readonly string[], indent: string, { eol }: Style): string {
  return lines.map((line) => (line === '' ? '' : indent + line)).join(eol);
}
