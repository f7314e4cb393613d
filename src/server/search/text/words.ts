import { withoutDisguise } from './disguises.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MARKS = /\p{Mn}+/gu;
/** Scripts whose marks are accents, which people often omit; in other scripts, marks are vowels. */
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
/** Longer runs are not words; they are truncated, so that no text creates unbounded keys. */
const LONGEST = 40;

/**
 * Returns the words of a text in order: in lower case, without accents, invisible characters and letters of other scripts that
 * look Latin, `camelCase` both split and whole. Runs of scripts without spaces become pairs of characters.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [run] of withoutDisguise(text.normalize('NFKC')).matchAll(WORD)) {
    if (UNSPACED.test(run)) {
      const letters = [...run];
      if (letters.length === 1) found.push(run);
      for (let i = 0; i + 1 < letters.length; i += 1)
        found.push(`${letters[i] ?? ''}${letters[i + 1] ?? ''}`);
      continue;
    }
    const parts = run.split(HUMP);
    for (const part of parts) found.push(fold(part));
    if (parts.length > 1) found.push(fold(run));
  }
  return found;
}

function fold(word: string): string {
  const plain = ACCENTED.test(word) ? word.normalize('NFKD').replace(MARKS, '') : word;
  return plain.toLowerCase().slice(0, LONGEST);
}
