const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Whether a text holds a character that is not seen: a control character, a zero-width or a
 * direction mark, a line separator. Two names that differ in those alone look the same.
 */
export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text);
}
