/** Dimensions of the table's vectors. */
export const TABLE_DIMENSIONS = 128;
const MAGIC = 'x402wrd1';
const HEADER = MAGIC.length + 6 * 4;
const NEIGHBOURS = 4;
/** The value of one code in a vector of length one, whose codes are centred on the middle. */
const STEP = 0.335 / Math.sqrt(TABLE_DIMENSIONS);
const MIDDLE = 7.5;
/** Words as frequent as this count half (Arora and others, 2017); frequencies fall as one over the rank. */
const FREQUENT = 1e-3;
const RANKS = 10.3;
/** The shortest part into which an unknown word is split. */
const SHORTEST_PART = 4;

/**
 * Word vectors, distilled from language models (`scripts/search-table`, NOTICE): English words by their word pieces, words of
 * other languages by the nearest English words.
 */
export class WordTable {
  readonly #tokens: SortedTexts;
  readonly #words: SortedTexts;
  readonly #ranks: DataView;
  readonly #places: DataView;
  readonly #weights: Uint8Array;
  readonly #rows: Uint8Array;

  /** @throws if the bytes are not a table */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1');
    const [dimensions, neighbours, tokens, tokenBytes, words, wordBytes] = Array.from(
      { length: 6 },
      (_, n) => (bytes.byteLength < HEADER ? 0 : view.getUint32(MAGIC.length + n * 4, true)),
    ) as [number, number, number, number, number, number];
    if (magic !== MAGIC || dimensions !== TABLE_DIMENSIONS || neighbours !== NEIGHBOURS)
      throw new Error('not a table of word vectors');
    let at = HEADER;
    const take = (length: number) => {
      const taken = bytes.subarray(at, at + length);
      at += length;
      return taken;
    };
    const numbers = (length: number) => {
      const { buffer, byteOffset } = take(length);
      return new DataView(buffer, byteOffset, length);
    };
    this.#tokens = new SortedTexts(take(tokenBytes), tokens);
    this.#words = new SortedTexts(take(wordBytes), words);
    this.#ranks = numbers(tokens * 2);
    this.#places = numbers(words * NEIGHBOURS * 2);
    this.#weights = take(words * NEIGHBOURS);
    this.#rows = take((tokens * TABLE_DIMENSIONS) / 2);
    if (this.#rows.length !== (tokens * TABLE_DIMENSIONS) / 2)
      throw new Error('the table of word vectors is cut off');
  }

  /** Adds a word's vector, weighted by the word's rarity, to the first dimensions of `sum`. */
  addWord(word: string, times: number, sum: Float32Array): void {
    if (this.#addWhole(word, times, sum)) return;
    if (this.#addPieces(word, times, sum)) return;
    this.#addParts(word, times, sum);
  }

  #addWhole(word: string, times: number, sum: Float32Array): boolean {
    const token = this.#tokens.find(word);
    if (token >= 0) {
      this.#addToken(token, times, sum);
      return true;
    }
    const known = this.#words.find(word);
    if (known < 0) return false;
    for (let n = known * NEIGHBOURS; n < (known + 1) * NEIGHBOURS; n += 1) {
      const share = (this.#weights[n] ?? 0) / 255;
      this.#addToken(this.#places.getUint16(n * 2, true), times * share, sum);
    }
    return true;
  }

  /** Splits a word of Latin letters as the model does: longest piece first, from left to right. */
  #addPieces(word: string, times: number, sum: Float32Array): boolean {
    const pieces: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length;
      let piece = -1;
      for (; to > from; to -= 1) {
        const text = word.slice(from, to);
        piece = this.#tokens.find(from === 0 ? text : `##${text}`);
        if (piece >= 0) break;
      }
      if (piece < 0) return false;
      pieces.push(piece);
      from = to;
    }
    // The longest parts of other languages' words are more specific than pieces of English ones.
    if (pieces.length > 2 && this.#addParts(word, times, sum)) return true;
    for (const piece of pieces) this.#addToken(piece, times / Math.sqrt(pieces.length), sum);
    return true;
  }

  /** Adds the known words of which a compound word, such as a German one, consists; returns false if there are none. */
  #addParts(word: string, times: number, sum: Float32Array): boolean {
    const parts: string[] = [];
    for (let from = 0; from + SHORTEST_PART <= word.length; ) {
      let to = word.length;
      for (; to >= from + SHORTEST_PART; to -= 1) {
        const part = word.slice(from, to);
        if (this.#words.find(part) >= 0 || this.#tokens.find(part) >= 0) break;
      }
      if (to < from + SHORTEST_PART) {
        from += 1;
        continue;
      }
      parts.push(word.slice(from, to));
      from = to;
    }
    for (const part of parts) this.#addWhole(part, times / Math.sqrt(parts.length), sum);
    return parts.length > 0;
  }

  #addToken(token: number, times: number, sum: Float32Array): void {
    const rank = this.#ranks.getUint16(token * 2, true);
    const frequency = 1 / ((rank + 1) * RANKS);
    const scale = (times * STEP * FREQUENT) / (FREQUENT + frequency);
    const start = (token * TABLE_DIMENSIONS) / 2;
    for (let n = 0; n < TABLE_DIMENSIONS; n += 2) {
      const codes = this.#rows[start + n / 2] ?? 0;
      sum[n] = (sum[n] ?? 0) + ((codes & 15) - MIDDLE) * scale;
      sum[n + 1] = (sum[n + 1] ?? 0) + ((codes >> 4) - MIDDLE) * scale;
    }
  }
}

/** Lines sorted by their bytes, which are looked up without creating an object for each. */
class SortedTexts {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;

  constructor(bytes: Uint8Array, count: number) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#starts = new Uint32Array(count + 1);
    let line = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] !== 10) continue;
      line += 1;
      this.#starts[line] = at + 1;
    }
    if (line !== count) throw new Error('the table of word vectors is cut off');
  }

  /** Returns the line's number, or -1. */
  find(text: string): number {
    const wanted = Buffer.from(text);
    let low = 0;
    let high = this.#starts.length - 2;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const start = this.#starts[middle] ?? 0;
      const end = (this.#starts[middle + 1] ?? 0) - 1;
      const order = this.#bytes.compare(wanted, 0, wanted.length, start, end);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
