import type { FoundByWords, FoundEntry, RankedEntry } from '../searchIndex.ts';
import { byTies, candidatesOf } from './candidate.ts';
import { ranksByEvidence } from './ranksByEvidence.ts';
import { ranksByNearness } from './ranksByNearness.ts';

/** k of reciprocal rank fusion (spec: Ranking). */
const RRF_K = 60;
/**
 * Coverage from which the words of the first entry are evidence in themselves. Below it they might just as well be unimportant
 * words of the query, and nearness leads.
 */
const COVERED = 0.5;
/**
 * Surprise, in nats, from which they are evidence whatever their coverage: no entry covers half of a long task text, but words
 * that together are 22,000 times rarer than the best coincidence did not match by chance. Over nine judged sets the means are
 * within 0.001 of each other from 4 to 10 (docs/evidence/search-quality.md).
 */
const SURPRISING = 10;

export interface FusedEntry {
  readonly entry: RankedEntry;
  readonly score: number;
  /** Null if the stage did not find it, or its rank there does not count. */
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
  /** Lexical points, if the lexical stage found it. */
  readonly points: number | null;
  /** The cosine to the query, if the semantic stage found it. */
  readonly nearness: number | null;
}

/**
 * Fuses two rankings by reciprocal ranks: 1/(k + lexical rank) + 1/(k + vector rank), with ranks from 1; a stage that did not
 * find an entry adds nothing (spec: Ranking). Which ranks count depends on how surprising the words of the first entry are, and
 * how much of the query they cover. Equal scores are ordered by nearness, then by points, counts and age.
 *
 * @param floor the nearness of entries that are unrelated to the query
 */
export function fuse(
  lexical: readonly FoundByWords[],
  vector: readonly FoundEntry[],
  floor = 0,
): readonly FusedEntry[] {
  const candidates = candidatesOf(lexical, vector, floor);
  const first = lexical[0];
  const cosines = vector.map(({ score }) => score);
  if (first && isEvidence(first.evidence)) ranksByEvidence(candidates, cosines, floor);
  else ranksByNearness(candidates, first?.score ?? 1, floor);
  return candidates
    .map((candidate) => {
      const { lexicalRank, vectorRank } = candidate;
      return { candidate, score: reciprocal(lexicalRank) + reciprocal(vectorRank) };
    })
    .sort((a, b) => b.score - a.score || byTies(a.candidate, b.candidate))
    .map(({ candidate: { entry, lexicalRank, vectorRank, points, nearness }, score }) => ({
      entry,
      score,
      lexicalRank,
      vectorRank,
      points,
      nearness,
    }));
}

/** Whether the words that an entry shares with a query are evidence, rather than a coincidence. */
const isEvidence = ({ coverage, surprise }: FoundByWords['evidence']): boolean =>
  coverage >= COVERED || surprise >= SURPRISING;

const reciprocal = (rank: number | null): number => (rank === null ? 0 : 1 / (RRF_K + rank));
