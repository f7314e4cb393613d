import { byTies, type Candidate } from './candidate.ts';
import { liftedNearness } from './lifted.ts';

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
export function ranksByEvidence(
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
