/** A replacement in a text: `text` replaces `length` characters at `offset`. */
export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export function insertion(offset: number, text: string): Edit {
  return { offset, length: 0, text };
}

export function deletion(offset: number, end: number): Edit {
  return { offset, length: end - offset, text: '' };
}

/** Edits in text order; insertions at the same place keep their order. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.offset - b.edit.offset || a.index - b.index)
    .map(({ edit }) => edit);
}

/** Applies edits that do not overlap, and returns the text. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { offset, length, text: inserted } of inOrder(edits)) {
    if (offset < at) throw new RangeError(`edits overlap at ${offset}`);
    result += text.slice(at, offset) + inserted;
    at = offset + length;
  }
  return result + text.slice(at);
}

/** Returns the cursor's place after a change: the first TODO in the insertion, or its start. */
export function cursorAfter(changed: string, edits: readonly Edit[]): number {
  let shift = 0;
  let longest: { readonly start: number; readonly text: string } | undefined;
  for (const { offset, length, text } of edits) {
    const start = offset + shift;
    const todo = text.indexOf('TODO');
    if (todo >= 0) return start + todo;
    if (text.length > (longest?.text.length ?? 0)) longest = { start, text };
    shift += text.length - length;
  }
  return Math.min(longest?.start ?? 0, changed.length);
}
