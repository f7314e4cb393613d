import { byTies, type Candidate } from './candidate.ts';

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
export function ranksByNearness(
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
