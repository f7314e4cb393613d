import type { Edit } from '../../codegen/index.ts';

/**
 * Edits as removed (`-`) and added (`+`) lines, below the number of their first line.
 * @param edits in text order
 */
export function describeEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  for (const { offset, length, text: inserted } of edits) {
    const start = text.lastIndexOf('\n', offset - 1) + 1;
    const lineEnd = text.indexOf('\n', Math.max(offset, offset + length - 1));
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    const before = lines(text.slice(start, end));
    const after = lines(text.slice(start, offset) + inserted + text.slice(offset + length, end));
    let same = 0;
    while (same < before.length && before[same] === after[same]) same += 1;
    let tail = 0;
    while (
      tail < before.length - same &&
      tail < after.length - same &&
      before[before.length - 1 - tail] === after[after.length - 1 - tail]
    ) {
      tail += 1;
    }
    const number = text.slice(0, start).split('\n').length + same;
    parts.push(
      `@@ line ${number}`,
      ...before.slice(same, before.length - tail).map((line) => `-${line}`),
      ...after.slice(same, after.length - tail).map((line) => `+${line}`),
    );
  }
  return parts.join('\n');
}

function lines(text: string): readonly string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}
