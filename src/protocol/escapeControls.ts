/**
 * Characters that change what a terminal shows without being shown: controls, which move the cursor and set the colour;
 * formats, which turn the direction of text; and line separators. Joiners stay, because letters and emoji need them.
 */
const ACTS = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * Replaces the characters of a text by others that act on a terminal with their code points. Line ends and tabs stay.
 *
 * @example escapeControls('paid\u001b[2K') // 'paid\\u{1b}[2K'
 */
export function escapeControls(text: string): string {
  return text.replace(ACTS, (letter) =>
    letter === '\n' || letter === '\t' ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`,
  );
}
