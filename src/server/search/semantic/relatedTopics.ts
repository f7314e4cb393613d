import { stem } from '../text/terms.ts';
import { TOPICS } from './topics.ts';

/** A misspelt word counts less than the word it is taken for. */
const MISSPELT = 0.75;
const SHORTEST_CORRECTED = 5;

export interface RelatedTopics {
  /** Numbers of topics. */
  readonly topics: readonly number[];
  readonly strength: number;
}

const NONE: RelatedTopics = { topics: [], strength: 0 };

interface KnownStems {
  readonly topics: ReadonlyMap<string, readonly number[]>;
  /** Stems by each of their forms with one letter left out: two words that differ by one or two slips share a form. */
  readonly bySlip: ReadonlyMap<string, readonly string[]>;
}

let known: KnownStems | undefined;

/** Built when the first text is embedded, so that the service starts sooner. */
function knownStems(): KnownStems {
  known ??= readTopics();
  return known;
}

function readTopics(): KnownStems {
  const topics = new Map<string, number[]>();
  TOPICS.forEach((line, topic) => {
    for (const stemmed of new Set(line.split(' ').map(stem))) {
      const others = topics.get(stemmed);
      if (others) others.push(topic);
      else topics.set(stemmed, [topic]);
    }
  });
  const bySlip = new Map<string, string[]>();
  for (const stemmed of topics.keys()) {
    if (stemmed.length < SHORTEST_CORRECTED - 1) continue;
    for (const slip of slips(stemmed)) {
      const words = bySlip.get(slip);
      if (words) words.push(stemmed);
      else bySlip.set(slip, [stemmed]);
    }
  }
  return { topics, bySlip };
}

function slips(word: string): Set<string> {
  const found = new Set([word]);
  for (let n = 0; n < word.length; n += 1) found.add(word.slice(0, n) + word.slice(n + 1));
  return found;
}

/** Returns the topics of a stem, or of the nearest known stems if it seems misspelt. */
export function relatedTopics(stemmed: string): RelatedTopics {
  const { topics: topicsOfStem, bySlip } = knownStems();
  const topics = topicsOfStem.get(stemmed);
  if (topics) return { topics, strength: 1 };
  if (stemmed.length < SHORTEST_CORRECTED) return NONE;
  const agreeing = new Map<string, number>();
  for (const slip of slips(stemmed)) {
    for (const other of bySlip.get(slip) ?? []) {
      // A slip in the first letter is rare; usually it is another word.
      if (other[0] === stemmed[0]) agreeing.set(other, agreement(other, stemmed));
    }
  }
  // The other words of the text decide which of the nearest was meant.
  const least = Math.max(...agreeing.values()) - 1;
  const near = [...agreeing].filter(([, agreed]) => agreed >= least);
  const found = new Set(near.flatMap(([other]) => topicsOfStem.get(other) ?? []));
  return found.size === 0 ? NONE : { topics: [...found], strength: MISSPELT };
}

/** Returns the number of letters that two words share at their beginnings and ends, minus the difference of their lengths. */
function agreement(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end - Math.abs(a.length - b.length);
}
