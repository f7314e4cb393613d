import type { FoundByWords, FoundEntry, RankedEntry } from '../searchIndex.ts';
import { byTies, type Candidate, candidatesOf } from './candidate.ts';
import { liftedNearness } from './lifted.ts';

/**
 * Weight of an entry's nearness in the order by words; its points have weight 1. Both are shares of the greatest.
 * Chosen with three judged sets (docs/search.md); from 2 to 4 their means are within 0.005 of each other.
 */
const NEARNESS_IN_WORDS = 3;
/**
 * Share of the greatest nearness that an entry found by words needs to be ranked by nearness too. Without this
 * threshold, a common word and a vague similarity together would outrank the nearest entry.
 */
const NEAR = 0.9;

/**
 * Ranks by nearness first, for queries whose words mean little: the order by words depends on points and
 * nearness, and an entry that words found but that is not near enough has no vector rank.
 *
 * @param mostPoints the highest points of all candidates
 */
function ranksByNearness(
  candidates: readonly Candidate[],
  mostPoints: number,
  floor: number,
): void {
  let nearest = floor;
  let mostNear = floor;
  for (const { nearness, lifted } of candidates) {
    nearest = Math.max(nearest, lifted ?? floor);
    mostNear = Math.max(mostNear, nearness ?? floor);
  }
  const share = ({ lifted }: Candidate): number => {
    if (lifted === null) return 0;
    return nearest > floor ? (lifted - floor) / (nearest - floor) : 1;
  };
  const byWords: Candidate[] = [];
  for (const candidate of candidates) {
    const { points, nearness, nearRank } = candidate;
    const near = share(candidate);
    const isNear = (nearness ?? floor) - floor >= NEAR * (mostNear - floor);
    const counts = nearness !== null && (points === null || isNear);
    candidate.vectorRank = counts ? nearRank : null;
    if (points === null) continue;
    candidate.merit = points / mostPoints + NEARNESS_IN_WORDS * near;
    byWords.push(candidate);
  }
  byWords.sort((a, b) => b.merit - a.merit || byTies(a, b));
  byWords.forEach((candidate, n) => {
    candidate.lexicalRank = n + 1;
  });
}

/**
 * The evidence of the greatest possible nearness, in nats. The quality on the tuning half of the project's queries is the same
 * from 56 to 120. We use the lowest value, because the topics were written for those queries, so nearness means less elsewhere.
 */
const NATS_OF_NEARNESS = 56;
/** The number of nearest entries whose cosines show how much a difference of cosines means. */
const NEAREST = 100;
/**
 * Their maximum evidence on average, in nats. It matters if many entries are about equally near, because a difference of
 * cosines then means less. Of 1, 2 and 3, the greatest leaves the order of the project's tuning queries unchanged.
 */
const NATS_OF_NEAREST = 3;

/** Returns a function for the evidence of a nearness, in nats, given the found cosines, greatest first. */
function natsOf(nearest: readonly number[], floor: number): (nearness: number) => number {
  const usual = nearest.length < NEAREST ? floor : (nearest[NEAREST - 1] ?? floor);
  let beyond = 0;
  for (const nearness of nearest.slice(0, NEAREST)) beyond += Math.max(0, nearness - usual);
  const steepest = NATS_OF_NEARNESS / Math.max(1 - floor, Number.EPSILON);
  const slope = Math.min(steepest, (NATS_OF_NEAREST * NEAREST) / Math.max(beyond, Number.EPSILON));
  return (nearness) => slope * Math.max(0, nearness - usual);
}

/**
 * Ranks by evidence, for queries that words cover: how much rarer an entry's words are than a coincidence, and how
 * near it is, added up as logarithms of odds. Both stages rank what they found in this order. An entry that both
 * found has both ranks only if no entry that one of them found alone has more evidence: otherwise two weak hints would
 * outrank a strong one.
 *
 * @param nearest the cosines that the semantic stage found, greatest first
 */
function ranksByEvidence(
  candidates: readonly Candidate[],
  nearest: readonly number[],
  floor: number,
): void {
  const nats = natsOf(nearest, floor);
  for (const candidate of candidates) {
    const { surprise, lifted, entry } = candidate;
    candidate.merit = surprise + nats(lifted ?? liftedNearness(floor, entry.standing, floor));
  }
  const ranked = [...candidates].sort((a, b) => b.merit - a.merit || byTies(a, b));
  const alone = ranked.find(({ points, nearness }) => points === null || nearness === null);
  const bar = alone?.merit ?? 0;
  let byWords = 0;
  let byNearness = 0;
  for (const candidate of ranked) {
    if (candidate.nearness !== null) byNearness += 1;
    if (candidate.points !== null) byWords += 1;
    candidate.lexicalRank = candidate.points === null ? null : byWords;
    const counts =
      candidate.nearness !== null && (candidate.points === null || candidate.merit >= bar);
    candidate.vectorRank = counts ? byNearness : null;
  }
}

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
