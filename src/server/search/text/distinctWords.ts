import { withoutDisguise } from './disguises.ts';
import { stem } from './terms.ts';
import { STOP_WORDS } from './vocabulary.ts';
import { words } from './words.ts';

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/**
 * Returns a text with each meaningful word once, where it occurs first, on one line, so that a seller gains nothing by repetition,
 * whatever model reads it. Words without meaning stay, because models read sentences.
 */
export function distinctWords(text: string): string {
  const seen = new Set<string>();
  return withoutDisguise(text)
    .replace(RUN, (run) => {
      const found = words(run).filter((word) => !STOP_WORDS.has(word));
      if (found.length === 0) return run;
      const isNew = found.map(stem).filter((one) => !seen.has(one));
      for (const one of isNew) seen.add(one);
      return isNew.length > 0 ? run : '';
    })
    .replace(/\s+/g, ' ')
    .trim();
}
