import { stem } from '../text/terms.ts';
import { TOPICS } from './topics.ts';

/** A misspelt word counts as less than the word it was taken for. */
const MISSPELT = 0.75;
const SHORTEST_CORRECTED = 5;

export interface RelatedTopics {
  /** Numbers of topics. */
  readonly topics: readonly number[];
  readonly strength: number;
}

const NONE: RelatedTopics = { topics: [], strength: 0 };

const topicsOfStem = new Map<string, number[]>();
TOPICS.forEach((line, topic) => {
  for (const stemmed of new Set(line.split(' ').map(stem))) {
    const topics = topicsOfStem.get(stemmed);
    if (topics) topics.push(topic);
    else topicsOfStem.set(stemmed, [topic]);
  }
});

/** Known stems by themselves with one letter left out: two words meet there if one or two slips apart. */
const bySlip = new Map<string, string[]>();
for (const known of topicsOfStem.keys()) {
  if (known.length < SHORTEST_CORRECTED - 1) continue;
  for (const slip of slips(known)) {
    const words = bySlip.get(slip);
    if (words) words.push(known);
    else bySlip.set(slip, [known]);
  }
}

function slips(word: string): Set<string> {
  const found = new Set([word]);
  for (let n = 0; n < word.length; n += 1) found.add(word.slice(0, n) + word.slice(n + 1));
  return found;
}

/** The topics of a stem, or of the known stems that it is nearest to when it seems misspelt. */
export function relatedTopics(stemmed: string): RelatedTopics {
  const topics = topicsOfStem.get(stemmed);
  if (topics) return { topics, strength: 1 };
  if (stemmed.length < SHORTEST_CORRECTED) return NONE;
  const agreeing = new Map<string, number>();
  for (const slip of slips(stemmed)) {
    for (const known of bySlip.get(slip) ?? []) {
      // A slip in the first letter is rare, and mostly another word.
      if (known[0] === stemmed[0]) agreeing.set(known, agreement(known, stemmed));
    }
  }
  // Which of the nearest was meant, the other words of the text decide.
  const least = Math.max(...agreeing.values()) - 1;
  const near = [...agreeing].filter(([, agreed]) => agreed >= least);
  const found = new Set(near.flatMap(([known]) => topicsOfStem.get(known) ?? []));
  return found.size === 0 ? NONE : { topics: [...found], strength: MISSPELT };
}

/** Letters that two words have in common at their beginnings and ends, less what one is longer. */
function agreement(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end - Math.abs(a.length - b.length);
}
