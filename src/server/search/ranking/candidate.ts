import { type FoundByWords, type FoundEntry, type RankedEntry, tieBefore } from '../searchIndex.ts';
import { liftedNearness } from './lifted.ts';

/** An entry that a stage found, while its ranks are determined. */
export interface Candidate {
  readonly entry: RankedEntry;
  /** Lexical points, if the lexical stage found it. */
  readonly points: number | null;
  /** How much rarer its words are than a coincidence, in nats. */
  readonly surprise: number;
  /** The cosine to the query, if the semantic stage found it. */
  nearness: number | null;
  /** Its nearness by which it is ranked: saturated, and lifted by its standing. Null without a nearness. */
  lifted: number | null;
  /** Its position among the nearest, by lifted nearness; infinite if the semantic stage did not find it. */
  nearRank: number;
  /** The value by which it is ordered. */
  merit: number;
  /** Null if the stage did not find it, or its rank there does not count. */
  lexicalRank: number | null;
  vectorRank: number | null;
}

/**
 * Returns the entries of both stages: those of the lexical stage in its order, then the others in the semantic stage's.
 *
 * @param floor the nearness of entries that are unrelated to the query
 */
export function candidatesOf(
  lexical: readonly FoundByWords[],
  vector: readonly FoundEntry[],
  floor: number,
): Candidate[] {
  const bySequence = new Map<number, Candidate>();
  for (const entry of lexical) {
    bySequence.set(entry.sequence, candidate(entry, entry.score, entry.evidence.surprise));
  }
  const near: Candidate[] = [];
  for (const entry of vector) {
    let found = bySequence.get(entry.sequence);
    if (found === undefined) {
      found = candidate(entry, null, 0);
      bySequence.set(entry.sequence, found);
    }
    found.nearness = entry.score;
    found.lifted = liftedNearness(entry.score, entry.standing, floor);
    near.push(found);
  }
  // The order of the stage decides among equals.
  near.sort((a, b) => (b.lifted ?? 0) - (a.lifted ?? 0));
  near.forEach((found, n) => {
    found.nearRank = n + 1;
  });
  return [...bySequence.values()];
}

const candidate = (entry: RankedEntry, points: number | null, surprise: number): Candidate => ({
  entry,
  points,
  surprise,
  nearness: null,
  lifted: null,
  nearRank: Number.POSITIVE_INFINITY,
  merit: 0,
  lexicalRank: null,
  vectorRank: null,
});

/** Orders otherwise equal candidates: by nearness, then by points, counts and age. */
export function byTies(a: Candidate, b: Candidate): number {
  if (a.nearRank !== b.nearRank) return a.nearRank < b.nearRank ? -1 : 1;
  return (b.points ?? 0) - (a.points ?? 0) || (tieBefore(a.entry, b.entry) ? -1 : 1);
}
