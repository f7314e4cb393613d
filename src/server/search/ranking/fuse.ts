import { type RankedEntry, tieBefore } from '../searchIndex.ts';

/** k of reciprocal rank fusion (spec: Ranking). */
const RRF_K = 60;

export interface FusedEntry {
  readonly entry: RankedEntry;
  readonly score: number;
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
}

/**
 * Fuses two rankings by reciprocal ranks: 1/(k + lexical rank) + 1/(k + vector rank), ranks from 1, a
 * stage that did not find an entry adding nothing. Equal scores are ordered by counts, then by age
 * (spec: Ranking).
 */
export function fuse(
  lexical: readonly RankedEntry[],
  vector: readonly RankedEntry[],
): readonly FusedEntry[] {
  const vectorRanks = new Map(vector.map(({ sequence }, n) => [sequence, n + 1]));
  const lexicalFound = new Set(lexical.map(({ sequence }) => sequence));
  const fused = [
    ...lexical.map((entry, n) => fusedEntry(entry, n + 1, vectorRanks.get(entry.sequence) ?? null)),
    ...vector.flatMap((entry, n) =>
      lexicalFound.has(entry.sequence) ? [] : [fusedEntry(entry, null, n + 1)],
    ),
  ];
  return fused.sort((a, b) => b.score - a.score || (tieBefore(a.entry, b.entry) ? -1 : 1));
}

function fusedEntry(
  entry: RankedEntry,
  lexicalRank: number | null,
  vectorRank: number | null,
): FusedEntry {
  const score = reciprocal(lexicalRank) + reciprocal(vectorRank);
  return { entry, score, lexicalRank, vectorRank };
}

const reciprocal = (rank: number | null): number => (rank === null ? 0 : 1 / (RRF_K + rank));
