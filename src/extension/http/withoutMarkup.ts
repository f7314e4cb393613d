const TAG = /^(?:\/?[a-z]|!)[^>]*>/i;
const HIDING = /^(\/?)(style|script)\b/i;

/** The text of a page without its tags, styles and scripts, with a space for each. Reads each character once. */
export function withoutMarkup(page: string): string {
  const pieces = page.split('<');
  const ends = new Map<string, number>();
  for (const [index, piece] of pieces.entries()) {
    const [, slash, name = ''] = HIDING.exec(piece) ?? [];
    if (slash === '/') ends.set(name.toLowerCase(), index);
  }
  const kept: string[] = [];
  let hiddenBy: string | undefined;
  for (const [index, piece] of pieces.entries()) {
    const [, slash, hiding = ''] = HIDING.exec(piece) ?? [];
    const name = hiding.toLowerCase();
    if (hiddenBy !== undefined) {
      if (slash !== '/' || name !== hiddenBy) continue;
      hiddenBy = undefined;
    }
    const tag = index === 0 ? undefined : TAG.exec(piece)?.[0];
    // What does not end is shown, since it would hide the rest of the page.
    if (tag !== undefined && slash === '' && (ends.get(name) ?? 0) > index) {
      hiddenBy = name;
      kept.push(' ');
    } else if (tag !== undefined) kept.push(` ${piece.slice(tag.length)}`);
    else kept.push(index === 0 ? piece : `<${piece}`);
  }
  return kept.join('');
}
