import { stem } from '../text/terms.ts';
import { STOP_WORDS } from '../text/vocabulary.ts';
import { words } from '../text/words.ts';
import type { EmbeddingProvider } from './embeddingProvider.ts';
import { DIMENSIONS } from './kernels.ts';
import { lengthOf } from './quantized.ts';
import { relatedTopics } from './relatedTopics.ts';
import { COMMON_WORDS } from './topics.ts';
import { TABLE_DIMENSIONS, WordTable } from './wordTable.ts';

/** The table's share of a cosine; topics and letters have the rest. */
const TABLE_SHARE = 0.4;
/** The shares of a word itself, of its letter runs, and of its topics. */
const PARTS = { word: 0.6, letters: 0.8, topics: 0.9 };
const RUNS = [3, 4];
/** Number of dimensions into which a feature is hashed, each with a sign. */
const PLACES = 12;
/** Number of word vectors to keep: 16 MB. */
const MOST_KEPT = 4096;
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
  readonly name = 'embedded words, topics and letter runs, 2';
  readonly floor = FLOOR;
  readonly scale = SCALE;
  readonly local = true;
  readonly #kept = new Map<string, Float32Array>();
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
    const counts = new Map<string, number>();
    for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const informative = [...counts].filter(([word]) => !STOP_WORDS.has(word));
    const sum = new Float32Array(DIMENSIONS);
    for (const [word, count] of informative.length > 0 ? informative : counts) {
      const vector = this.#wordVector(word);
      // Each repetition of a word adds less.
      const weight = Math.sqrt(count) * (COMMON_WORDS.get(word) ?? 1);
      for (let n = 0; n < DIMENSIONS; n += 1) sum[n] = (sum[n] ?? 0) + (vector[n] ?? 0) * weight;
    }
    scaleTo(sum.subarray(0, TABLE_DIMENSIONS), Math.sqrt(TABLE_SHARE));
    scaleTo(sum.subarray(TABLE_DIMENSIONS), Math.sqrt(1 - TABLE_SHARE));
    return sum;
  }

  #wordVector(word: string): Float32Array {
    const kept = this.#kept.get(word);
    if (kept) return kept;
    const vector = new Float32Array(DIMENSIONS);
    this.#table ??= new WordTable(this.#readTable());
    this.#table.addWord(word, 1, vector);
    addHashed(word, vector);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(word, vector);
    return vector;
  }
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
