import type { SearchDocument } from '../searchDocument.ts';
import { synonymGroup, terms } from '../text/terms.ts';
import { urlText } from '../text/urlText.ts';

/** Bits of the fields that contain a term. */
export const FIELD_BITS = { url: 1, description: 2, tags: 4, serviceName: 8 } as const;

/** A term's weight by the fields that contain it: 4, 3, 2 and 1 (spec: Lexical), added up. */
const WEIGHT_OF_FIELDS: readonly number[] = Array.from(
  { length: 16 },
  (_, bits) =>
    (bits & FIELD_BITS.serviceName ? 4 : 0) +
    (bits & FIELD_BITS.tags ? 3 : 0) +
    (bits & FIELD_BITS.description ? 2 : 0) +
    (bits & FIELD_BITS.url ? 1 : 0),
);

/** Number of terms that an entry can have before each counts less. */
const USUAL_TERMS = 24;
/** How strongly the length beyond that counts against an entry. */
const LENGTH_SHARE = 0.6;
/** The weight at which a term has half of its maximum effect. */
const SATURATION = 4;
/** Impacts are whole numbers up to this one. */
const MAX_IMPACT = 1_000;
/** Lengths are distinguished up to this one, in steps. */
const LENGTH_STEP = 4;
const LENGTHS = 64;

/**
 * The impact of a term in these fields on an entry, by length class: BM25's saturation and length normalisation over the field
 * weights. It depends only on the entry, so it is known when the entry is put.
 */
const IMPACTS = Uint16Array.from({ length: LENGTHS * 16 }, (_, at) => {
  const beyond = Math.max(0, (at >> 4) * LENGTH_STEP - USUAL_TERMS) / USUAL_TERMS;
  const weight = (WEIGHT_OF_FIELDS[at & 15] ?? 0) / (1 + LENGTH_SHARE * beyond);
  return Math.round((MAX_IMPACT * weight) / (SATURATION + weight));
});

/** Returns the length class of an entry by its number of terms. */
export const lengthClass = (terms: number): number =>
  Math.min(LENGTHS - 1, Math.ceil(terms / LENGTH_STEP));

/** Returns the impact of a term in these fields on an entry of a length class: 0 to 1,000. */
export const impactOf = (length: number, fields: number): number =>
  IMPACTS[(length << 4) | fields] ?? 0;

export type Texts = Pick<SearchDocument, 'url' | 'serviceName' | 'tags' | 'description'>;

/** Returns the terms and synonym groups of an entry, each with the bits of the fields that contain it. */
export function fieldTerms(document: Texts): Map<string, number> {
  const found = new Map<string, number>();
  const add = (text: string, field: number) => {
    for (const term of terms(text)) {
      found.set(term, (found.get(term) ?? 0) | field);
      const group = synonymGroup(term);
      if (group !== undefined) found.set(group, (found.get(group) ?? 0) | field);
    }
  };
  add(urlText(document.url), FIELD_BITS.url);
  if (document.description !== null) add(document.description, FIELD_BITS.description);
  add(document.tags.join(' '), FIELD_BITS.tags);
  if (document.serviceName !== null) add(document.serviceName, FIELD_BITS.serviceName);
  return found;
}

/** Returns the terms of an entry, each with its impact. */
export function impacts(document: Texts): (readonly [term: string, impact: number])[] {
  const found = fieldTerms(document);
  const length = lengthClass(found.size);
  return [...found].map(([term, fields]) => [term, impactOf(length, fields)] as const);
}
