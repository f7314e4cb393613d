import type { SearchDocument } from '../searchDocument.ts';
import { synonymGroup, terms } from '../text/terms.ts';
import { urlText } from '../text/urlText.ts';

/** Bits of the fields in which a term stands. */
const FIELD = { url: 1, description: 2, tags: 4, serviceName: 8 } as const;

/** What a term weighs by the fields it stands in: 4, 3, 2 and 1 (spec: Lexical), added up. */
export const WEIGHT_OF_FIELDS: readonly number[] = Array.from(
  { length: 16 },
  (_, bits) =>
    (bits & FIELD.serviceName ? 4 : 0) +
    (bits & FIELD.tags ? 3 : 0) +
    (bits & FIELD.description ? 2 : 0) +
    (bits & FIELD.url ? 1 : 0),
);

type Texts = Pick<SearchDocument, 'url' | 'serviceName' | 'tags' | 'description'>;

/** The terms and synonym groups of an entry, each with the bits of the fields it stands in. */
export function fieldTerms(document: Texts): Map<string, number> {
  const found = new Map<string, number>();
  const add = (text: string, field: number) => {
    for (const term of terms(text)) {
      found.set(term, (found.get(term) ?? 0) | field);
      const group = synonymGroup(term);
      if (group !== undefined) found.set(group, (found.get(group) ?? 0) | field);
    }
  };
  add(urlText(document.url), FIELD.url);
  if (document.description !== null) add(document.description, FIELD.description);
  add(document.tags.join(' '), FIELD.tags);
  if (document.serviceName !== null) add(document.serviceName, FIELD.serviceName);
  return found;
}
