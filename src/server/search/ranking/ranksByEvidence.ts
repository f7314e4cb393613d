import { byTies, type Candidate } from './candidate.ts';

/**
 * What the greatest possible nearness says, in nats. The quality on the tuning half of the project's queries is the
 * same from 56 to 120. The least is taken: the topics were written for those queries, so nearness says less elsewhere.
 */
const NATS_OF_NEARNESS = 56;

/**
 * Ranks by evidence, for queries that words cover: how much rarer an entry's words are than a coincidence, and how
 * near it is, added up as logarithms of odds. Both stages rank what they found in this order. An entry that both
 * found has both ranks only if no entry that one of them found alone has more evidence: otherwise two weak hints would
 * outrank a strong one.
 */
export function ranksByEvidence(candidates: readonly Candidate[], floor: number): void {
  const range = Math.max(1 - floor, Number.EPSILON);
  for (const candidate of candidates) {
    const near = ((candidate.nearness ?? floor) - floor) / range;
    candidate.merit = candidate.surprise + NATS_OF_NEARNESS * near;
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
