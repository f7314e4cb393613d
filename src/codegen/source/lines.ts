/** The start of the line that contains this offset; on the first line, after a byte order mark. */
export function lineStart(text: string, offset: number): number {
  const before = text.lastIndexOf('\n', offset - 1) + 1;
  return before === 0 && text.startsWith('\uFEFF') ? Math.min(1, text.length) : before;
}

/** The end of the line that contains this offset, before its line end. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** The start of the next line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Returns the start of a line, or of the next one if this line is empty and not the last. */
export function afterEmptyLine(text: string, start: number): number {
  const next = nextLine(text, start);
  return /^[ \t]*\r?\n$/.test(text.slice(start, next)) ? next : start;
}

/** The start of a line, or of the line above it if that one is empty. */
export function withEmptyLineAbove(text: string, start: number): number {
  const above = lineStart(text, start - 1);
  return lineEnd(text, above) === above ? above : start;
}

/** The white space before the first word of a line. */
export function indentation(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? '';
}

/** Whether there is only white space between the beginning of the line and this offset. */
export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** Whether there is only white space and comments between this offset and the end of its line. */
export function endsLine(text: string, offset: number): boolean {
  const end = lineEnd(text, offset);
  const afterGap = (from: number) => from + gapAfter(text.slice(from, end), 0);
  let at = afterGap(offset);
  if (text[at] === ';') at = afterGap(at + 1);
  if (text.startsWith('//', at)) return true;
  while (at < end) {
    const close = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) : -1;
    if (close < 0 || close + 2 > end) return false;
    at = afterGap(close + 2);
  }
  return true;
}

/** The number of spaces and tabs after an offset. */
export function gapAfter(text: string, offset: number): number {
  return text.slice(offset).search(/[^ \t]|$/);
}

/** The line number, from 1, as editors count. */
export function lineNumber(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

/** The column, from 1, as editors count. */
export function columnNumber(text: string, offset: number): number {
  return offset - lineStart(text, offset) + 1;
}

/** The offset of a line and column (both from 1), or `undefined` if there is no such line. */
export function offsetOfColumn(text: string, line: number, column: number): number | undefined {
  const start = startOfLine(text, line);
  return start === undefined || line < 1 || column < 1 ? undefined : start + column - 1;
}

/** The offset of the first word of a line (from 1), or `undefined` if there is no such line. */
export function offsetOfLine(text: string, line: number): number | undefined {
  const start = startOfLine(text, line);
  return start === undefined ? undefined : start + indentation(text, start).length;
}

function startOfLine(text: string, line: number): number | undefined {
  let start = 0;
  for (let current = 1; current < line; current += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  return start;
}
