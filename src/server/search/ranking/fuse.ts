import { type FoundEntry, type RankedEntry, tieBefore } from '../searchIndex.ts';

/** k of reciprocal rank fusion (spec: Ranking). */
const RRF_K = 60;
/** Entries with this share of the best's points are as good as it by words. */
const ABOUT_AS_GOOD = 0.5;
/** The rank of an entry that was not found. */
const LAST = Number.POSITIVE_INFINITY;

export interface FusedEntry {
  readonly entry: RankedEntry;
  readonly score: number;
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
  /** Lexical points, if the lexical stage found it. */
  readonly points: number | null;
  /** The cosine to the query, if the semantic stage found it. */
  readonly nearness: number | null;
}

/**
 * Fuses two rankings by reciprocal ranks: 1/(k + lexical rank) + 1/(k + vector rank), ranks from 1, a
 * stage that did not find an entry adding nothing (spec: Ranking). Entries that are about as good by words
 * are ranked by nearness there, and so are equal scores. What is still equal is ordered by counts, then by
 * age.
 */
export function fuse(
  lexical: readonly FoundEntry[],
  vector: readonly FoundEntry[],
): readonly FusedEntry[] {
  const near = new Map(
    vector.map(({ sequence, score }, n) => [sequence, { rank: n + 1, score }] as const),
  );
  const byNearness = (a: RankedEntry, b: RankedEntry) =>
    compare(near.get(a.sequence)?.rank ?? LAST, near.get(b.sequence)?.rank ?? LAST);
  const least = Math.max(0, ...lexical.slice(0, 1).map(({ score }) => score)) * ABOUT_AS_GOOD;
  const good = ({ score }: FoundEntry) => (score >= least ? 1 : 0);
  const byWords = [...lexical].sort(
    (a, b) =>
      good(b) - good(a) || byNearness(a, b) || b.score - a.score || (tieBefore(a, b) ? -1 : 1),
  );
  const lexicalFound = new Set(lexical.map(({ sequence }) => sequence));
  const fused = [
    ...byWords.map((entry, n) => fusedEntry(entry, n + 1, entry.score, near.get(entry.sequence))),
    ...vector.flatMap((entry) =>
      lexicalFound.has(entry.sequence)
        ? []
        : [fusedEntry(entry, null, null, near.get(entry.sequence))],
    ),
  ];
  return fused.sort(
    (a, b) =>
      b.score - a.score ||
      byNearness(a.entry, b.entry) ||
      (b.points ?? 0) - (a.points ?? 0) ||
      (tieBefore(a.entry, b.entry) ? -1 : 1),
  );
}

function fusedEntry(
  { id, sequence, popularity }: RankedEntry,
  lexicalRank: number | null,
  points: number | null,
  near: { readonly rank: number; readonly score: number } | undefined,
): FusedEntry {
  const vectorRank = near?.rank ?? null;
  return {
    entry: { id, sequence, popularity },
    score: reciprocal(lexicalRank) + reciprocal(vectorRank),
    lexicalRank,
    vectorRank,
    points,
    nearness: near?.score ?? null,
  };
}

/** Smaller first; both may be infinite. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

const reciprocal = (rank: number | null): number => (rank === null ? 0 : 1 / (RRF_K + rank));
