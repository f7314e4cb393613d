import { stem } from '../text/terms.ts';
import { STOP_WORDS } from '../text/vocabulary.ts';
import { words } from '../text/words.ts';
import type { EmbeddingProvider } from './embeddingProvider.ts';
import { DIMENSIONS } from './kernels.ts';
import { lengthOf } from './quantized.ts';
import { COMMON_WORDS, TOPICS } from './topics.ts';
import { TABLE_DIMENSIONS, WordTable } from './wordTable.ts';

/** A misspelt word counts less than the word it is taken for. */
const MISSPELT = 0.75;
const SHORTEST_CORRECTED = 5;

interface RelatedTopics {
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
function relatedTopics(stemmed: string): RelatedTopics {
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

/** The table's share of a cosine; topics and letters have the rest. */
const TABLE_SHARE = 0.4;
/** The shares of a word itself, of its letter runs, and of its topics. */
const PARTS = { word: 0.6, letters: 0.8, topics: 0.9 };
const RUNS = [3, 4];
/** Number of fields of an entry, each of which is a line of its text. */
const MAX_LINES = 5;
/** Number of dimensions into which a feature is hashed, each with a sign. */
const PLACES = 12;
/** Number of word vectors to keep: 16 MB. */
const MAX_KEPT = 4096;
/** The dimensions that features are hashed into. */
const HASHED = DIMENSIONS - TABLE_DIMENSIONS;
const FLOOR = 0.12;
/**
 * Chosen on the tuning half of the project's queries: 47 of 103 right answers are above `much`, and one of as many wrong ones;
 * 19 and 77 are below `some`.
 */
const SCALE = { some: 0.4, much: 0.6 } as const;

/**
 * Computes embeddings in this process. The first dimensions come from a table of word vectors, distilled from language models;
 * words, their runs of three and four letters, and the topics of a fixed list (`topics.ts`) are hashed into the others. The
 * table covers the meaning of words in several languages, runs cover misspellings, and topics cover relations between services.
 * None of them understands sentences. The same text has the same embedding everywhere.
 */
export class LocalEmbedding implements EmbeddingProvider {
  readonly name = 'embedded words, topics and letter runs, 3';
  readonly floor = FLOOR;
  readonly scale = SCALE;
  readonly local = true;
  readonly #kept = new Map<string, WordVector>();
  readonly #readTable: () => Uint8Array;
  #table: WordTable | undefined;

  /** @param readTable reads the table of word vectors, once, when it is first needed */
  constructor(readTable: () => Uint8Array) {
    this.#readTable = readTable;
  }

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return Promise.resolve(texts.map((text) => this.embedText(text)));
  }

  circuit(): 'closed' {
    return 'closed';
  }

  embedText(text: string): Float32Array {
    const sum = new Float32Array(DIMENSIONS);
    for (const [word, { meaning, letters }] of this.#linesByWord(text)) {
      const { vector } = this.#wordVector(word);
      const common = COMMON_WORDS.get(word) ?? 1;
      // Each further field with a word adds less, and repetition within a field adds nothing.
      const [ofMeaning, ofLetters] = [Math.sqrt(meaning) * common, Math.sqrt(letters) * common];
      for (let n = 0; n < TABLE_DIMENSIONS; n += 1)
        sum[n] = (sum[n] ?? 0) + (vector[n] ?? 0) * ofMeaning;
      for (let n = TABLE_DIMENSIONS; n < DIMENSIONS; n += 1)
        sum[n] = (sum[n] ?? 0) + (vector[n] ?? 0) * ofLetters;
    }
    scaleTo(sum.subarray(0, TABLE_DIMENSIONS), Math.sqrt(TABLE_SHARE));
    scaleTo(sum.subarray(TABLE_DIMENSIONS), Math.sqrt(1 - TABLE_SHARE));
    return sum;
  }

  /** Returns the words of a text, each with the number of lines, which are an entry's fields, in which it says something new. */
  #linesByWord(text: string): ReadonlyMap<string, Lines> {
    const all = text.split('\n');
    const lines = [...all.slice(0, MAX_LINES - 1), all.slice(MAX_LINES - 1).join(' ')];
    const counts = new Map<string, Lines>();
    for (const isEmpty of [(word: string) => STOP_WORDS.has(word), () => false]) {
      for (const line of lines) {
        const said = new SaidMeanings();
        for (const word of wordsOfLine(line, isEmpty)) {
          const first = said.firstNew(this.#wordVector(word));
          if (first === DIMENSIONS) continue;
          const count = counts.get(word) ?? { meaning: 0, letters: 0 };
          counts.set(word, count);
          count.letters += 1;
          if (first === 0) count.meaning += 1;
        }
      }
      if (counts.size > 0) return counts;
    }
    return counts;
  }

  #wordVector(word: string): WordVector {
    const kept = this.#kept.get(word);
    if (kept) return kept;
    const vector = new Float32Array(DIMENSIONS);
    this.#table ??= new WordTable(this.#readTable());
    this.#table.addWord(word, 1, vector);
    addHashed(word, vector);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const direction = vector.slice(0, TABLE_DIMENSIONS);
    scaleTo(direction, 1);
    const made = { vector, direction };
    this.#kept.set(word, made);
    return made;
  }
}

/** Returns the words of a line, each stem once, without words that mean little, unless there are no others. */
function wordsOfLine(line: string, isEmpty: (word: string) => boolean): readonly string[] {
  const distinct = new Map<string, string>();
  for (const word of words(line)) {
    const stemmed = stem(word);
    if (!isEmpty(word) && !distinct.has(stemmed)) distinct.set(stemmed, word);
  }
  return [...distinct.values()];
}

/** Number of lines in which a word says its meaning, and in which it adds its letters. */
interface Lines {
  meaning: number;
  letters: number;
}

/** Cosine of the table's dimensions from which two words mean the same: the translations in the table have 0.96 or more. */
const SAME_MEANING = 0.95;
/** Cosine of the other dimensions from which two such words are forms of one word, such as "weather" and "weather2". */
const SAME_LETTERS = 0.3;
/** Maximum number of words to compare a word with. */
const MAX_COMPARED = 64;

/** The meanings of a line so far: a list of translations, or of forms of a word, says its meaning once. */
class SaidMeanings {
  readonly #words: WordVector[] = [];

  /**
   * Returns the first dimension from which a word says something new: 0, the first after the table's if an earlier word has its
   * meaning, or `DIMENSIONS` if an earlier word has its letters too.
   */
  firstNew(word: WordVector): number {
    let first = 0;
    for (const earlier of this.#words) {
      if (!haveOneMeaning(word.direction, earlier.direction)) continue;
      if (cosine(word.vector, earlier.vector, TABLE_DIMENSIONS, DIMENSIONS) >= SAME_LETTERS)
        return DIMENSIONS;
      first = TABLE_DIMENSIONS;
    }
    if (this.#words.length < MAX_COMPARED) this.#words.push(word);
    return first;
  }
}

/** A word's vector, and its first dimensions scaled to length one. */
interface WordVector {
  readonly vector: Float32Array;
  readonly direction: Float32Array;
}

/** Dimensions that show whether two directions can be near-equal at all. */
const GLANCE = 16;

function haveOneMeaning(a: Float32Array, b: Float32Array): boolean {
  // Near-equal directions differ little in each part: the squared distance is 2 − 2 × cosine.
  let apart = 0;
  for (let n = 0; n < TABLE_DIMENSIONS; n += 1) {
    const difference = (a[n] ?? 0) - (b[n] ?? 0);
    apart += difference * difference;
    if ((n & (GLANCE - 1)) === GLANCE - 1 && apart > 2 - 2 * SAME_MEANING) return false;
  }
  return true;
}

/** Returns the cosine of two vectors within some dimensions; 0 if one of them is zero there. */
function cosine(a: Float32Array, b: Float32Array, from: number, end: number): number {
  let dot = 0;
  let ofA = 0;
  let ofB = 0;
  for (let n = from; n < end; n += 1) {
    const x = a[n] ?? 0;
    const y = b[n] ?? 0;
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(ofA * ofB);
}

/** Adds a word, its letters and its topics to the dimensions after the table's. */
function addHashed(word: string, vector: Float32Array): void {
  const stemmed = stem(word);
  addFeature(vector, `word ${stemmed}`, PARTS.word);
  const runs = letterRuns(word);
  for (const run of runs) addFeature(vector, `run ${run}`, PARTS.letters / Math.sqrt(runs.length));
  const { topics, strength } = relatedTopics(stemmed);
  for (const topic of topics) {
    addFeature(vector, `topic ${topic}`, (PARTS.topics * strength) / Math.sqrt(topics.length));
  }
}

/** Scales a part of a vector to this length; zero stays zero. */
function scaleTo(part: Float32Array, length: number): void {
  const now = lengthOf(part);
  if (now === 0) return;
  for (let n = 0; n < part.length; n += 1) part[n] = ((part[n] ?? 0) * length) / now;
}

function letterRuns(word: string): string[] {
  const marked = `^${word}$`;
  const runs = new Set<string>();
  for (const length of RUNS) {
    for (let n = 0; n + length <= marked.length; n += 1) runs.add(marked.slice(n, n + length));
  }
  return [...runs];
}

/** Adds a feature of this length to the dimensions that its hash names. */
function addFeature(vector: Float32Array, feature: string, length: number): void {
  const part = length / Math.sqrt(PLACES);
  let state = fnv(feature);
  for (let n = 0; n < PLACES; n += 1) {
    state = mix(state + 0x9e3779b9);
    const at = TABLE_DIMENSIONS + (((state >>> 11) & 0x1fffff) % HASHED);
    vector[at] = (vector[at] ?? 0) + ((state & 0x400) === 0 ? part : -part);
  }
}

/** FNV-1a over UTF-16 units. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  }
  return hash;
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of the number. */
function mix(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
