/**
 * Letters that are drawn like those of `usdc`, and so have to be folded to find its look-alikes.
 * Source: Unicode, UTS #39 (confusables.txt). Full-width, mathematical and Roman-numeral letters fold by NFKD.
 */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  u: 'υսᴜꓴ∪ʋ',
  s: '5$ѕꜱꓢᏚꮪƽ',
  d: 'ԁᴅꓓᎠꭰɗđð',
  c: '(сᴄϲꓚᏟꮯ¢ↄ',
};

const FOLDED = new Map(
  Object.entries(DRAWN_ALIKE).flatMap(([plain, others]) =>
    Array.from(others, (letter) => [letter.toLowerCase(), plain] as const),
  ),
);

/** Folds one letter before NFKD, which turns some look-alikes into other letters. */
function folded(text: string): string {
  const plain = Array.from(text.toLowerCase(), (letter) => FOLDED.get(letter) ?? letter).join('');
  const decomposed = plain.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return Array.from(decomposed, (letter) => FOLDED.get(letter) ?? letter).join('');
}

/** A whole address or secret, also with digits that base32 doesn't have (0 for O, 1 for I). */
const WHOLE_ADDRESS = /(?<![A-Z0-9])(?:[GCS][A-Z0-9]{55}|M[A-Z0-9]{68})(?![A-Z0-9])/i;
/** An address as people shorten it: its first and last characters. */
const SHORT_ADDRESS =
  /(?<![A-Z0-9])[GCM][A-Z0-9]{3,}\s*(?:\.{2,}|…|\*{2,}|_{2,}|-{2,})\s*[A-Z0-9]{4,}(?![A-Z0-9])/;

/** Longest name that is shown. */
const MAX_JUDGED = 256;

/**
 * Whether a name chosen by a stranger can be mistaken for the asset USDC or for an address. `USDC` in Latin letters is harmless
 * within a longer name; as the whole name it would look like the asset.
 *
 * @example isLookAlike('U5DC') // true
 * @example isLookAlike('Rates in USDC') // false
 */
export function isLookAlike(text: string): boolean {
  const name = text.slice(0, MAX_JUDGED);
  if (WHOLE_ADDRESS.test(name) || SHORT_ADDRESS.test(name)) return true;
  const words = name.split(/[\s"'.,:;/|_-]+/u);
  const misspelt = words.some((word) => folded(word) === 'usdc' && word.toLowerCase() !== 'usdc');
  return misspelt || folded(name).replace(/[^\p{L}\p{N}]/gu, '') === 'usdc';
}
