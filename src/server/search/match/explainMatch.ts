import { FIELD_BITS, fieldTerms, type Texts } from '../lexical/fieldTerms.ts';
import type { NearnessScale } from '../semantic/embeddingProvider.ts';
import { queryTerms, synonymGroup } from '../text/terms.ts';

/** How sure the search is that an entry answers a query. */
export type Confidence = 'high' | 'medium' | 'low';

/** A field of an entry, as `match` names it. */
export type MatchedField = 'name' | 'tags' | 'description' | 'url';

/** A query word that an entry contains, directly or as a synonym. */
export interface MatchedWord {
  /** Without its ending, as it is compared. */
  readonly word: string;
  readonly in: readonly MatchedField[];
  readonly synonym: boolean;
}

/** Why an entry was found. */
export interface Match {
  readonly words: readonly MatchedWord[];
  /** The cosine to the query, if the semantic stage found the entry. */
  readonly nearness: number | null;
  readonly confidence: Confidence;
}

/** Maximum number of query terms to compare, and of words to return. */
const MAX_TERMS = 256;
const MAX_WORDS = 24;
/** Maximum number of characters of a text to compare: more than most texts have, and few enough for a page of 100 entries. */
const MAX_CHARACTERS = 512;
/** Shares of the query's words. */
const MANY = 2 / 3;
const SOME = 1 / 3;

const FIELDS: readonly (readonly [MatchedField, number])[] = [
  ['name', FIELD_BITS.serviceName],
  ['tags', FIELD_BITS.tags],
  ['description', FIELD_BITS.description],
  ['url', FIELD_BITS.url],
];

function matched(term: string, found: ReadonlyMap<string, number>): MatchedWord | undefined {
  const itself = found.get(term);
  const bits = itself ?? found.get(synonymGroup(term) ?? '');
  if (bits === undefined) return undefined;
  const fields = FIELDS.filter(([, bit]) => (bits & bit) !== 0).map(([name]) => name);
  return { word: term, in: fields, synonym: itself === undefined };
}

function confidenceOf(
  share: number,
  nearness: number | null,
  scale: NearnessScale | null,
): Confidence {
  // The cosines of an unknown model cannot be interpreted.
  if (scale === null || nearness === null) {
    return share >= MANY ? 'high' : share >= SOME ? 'medium' : 'low';
  }
  const half = (scale.some + scale.much) / 2;
  if (nearness >= scale.much || (nearness >= half && share >= MANY)) return 'high';
  return nearness >= scale.some || share >= MANY ? 'medium' : 'low';
}

/** Truncates a text after normalization, because some characters become many. */
function cut(text: string): string {
  return text.slice(0, MAX_CHARACTERS).normalize('NFKC').slice(0, MAX_CHARACTERS);
}

function cutTexts({ url, serviceName, tags, description }: Texts): Texts {
  return {
    url: cut(url),
    serviceName: serviceName === null ? null : cut(serviceName),
    tags: [cut(tags.join(' '))],
    description: description === null ? null : cut(description),
  };
}

/** Explains why an entry was found, given its texts and its cosine to the query. */
export type Explain = (texts: Texts, nearness: number | null) => Match;

/**
 * Explains why entries were found: which query words they contain and where, how near their meaning is, and the resulting
 * confidence. The query is read once.
 * @param scale null for a model with an unknown scale of cosines: then the words alone decide
 */
export function explainMatches(query: string, scale: NearnessScale | null): Explain {
  const terms = queryTerms(query).slice(0, MAX_TERMS);
  return (texts, nearness) => {
    const found = fieldTerms(cutTexts(texts));
    const words = terms.flatMap((term) => matched(term, found) ?? []);
    const share = terms.length === 0 ? 0 : words.length / terms.length;
    const confidence = confidenceOf(share, nearness, scale);
    return { words: words.slice(0, MAX_WORDS), nearness, confidence };
  };
}
