/**
 * Characters that are invisible to a reader, but not to a program or a language model:
 * controls, formats (zero-width, direction, tags), lone surrogates, private use, line separators,
 * everything that Unicode lets a renderer ignore (fillers, variation selectors), and the letters and
 * symbols that are drawn as a blank: Braille, musical, Khitan and Egyptian.
 * Source: Unicode, UAX #44 (`Default_Ignorable_Code_Point`), UTS #39 section 5.4.
 */
const UNSEEN =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}\\u{16fe4}\\u{13441}\\u{13442}]';

const HIDDEN = new RegExp(UNSEEN, 'u');
const EACH_HIDDEN = new RegExp(UNSEEN, 'gu');

/** Whether a text contains an invisible character: two names that differ only in one look the same. */
export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text);
}

/**
 * Removes invisible characters from a text by others. Line ends and tabs stay, since code and prose
 * use them. Any such text passes through here before a person or an agent sees it.
 *
 * @example visibleText('Pay\u{e0041} here') // 'Pay here'
 */
export function visibleText(text: string): string {
  return text.replace(EACH_HIDDEN, (letter) => (letter === '\n' || letter === '\t' ? letter : ''));
}

const MAX_ON_A_LINE = 1_000;

/** Formats text from others for an error: on one line, truncated, and without invisible characters. */
export function oneLine(text: string, most = MAX_ON_A_LINE): string {
  const visible = visibleText(text.slice(0, 4 * most))
    .replace(/\s+/gu, ' ')
    .trim();
  return visible.length > most ? `${visible.slice(0, most)}…` : visible;
}

/** Parses JSON of others whose texts people and agents read. @returns `undefined` for what is not JSON */
export function parseVisibleJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? visibleText(value) : value,
    );
  } catch {
    return undefined;
  }
}
