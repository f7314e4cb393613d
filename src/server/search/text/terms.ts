import { NEVER_STEMMED, STEM_RULES, STOP_WORDS, SYNONYM_GROUPS } from './vocabulary.ts';
import { words } from './words.ts';

const SHORTEST_STEMMED = 4;

/** Returns a word without its ending, by the six rules. */
export function stem(word: string): string {
  if (word.length < SHORTEST_STEMMED || NEVER_STEMMED.has(word)) return word;
  let stemmed = word;
  for (const { ending, becomes, minimum } of STEM_RULES) {
    const next = stemmed.replace(ending, becomes);
    if (next !== stemmed && next.length >= minimum) stemmed = next;
  }
  return stemmed;
}

const groups: ReadonlyMap<string, string> = new Map(
  SYNONYM_GROUPS.flatMap((group, n) => group.map((word) => [stem(word), `~${n}`] as const)),
);

/** Returns the key under which all words of a stem's synonym group are found, if it is in one. */
export const synonymGroup = (stemmed: string): string | undefined => groups.get(stemmed);

/** Returns the meaningful stems of a text, each once, in the order of their first occurrence. */
export function terms(text: string): string[] {
  const found = new Set<string>();
  for (const word of words(text)) {
    if (!STOP_WORDS.has(word)) found.add(stem(word));
  }
  return [...found];
}

/** Like `terms`, but a text of only stop words keeps them, so that no query becomes empty. */
export function queryTerms(text: string): string[] {
  const found = terms(text);
  return found.length > 0 ? found : [...new Set(words(text).map(stem))];
}
