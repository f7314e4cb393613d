import { type BlockReader, KeptDamaged } from '../kept/indexFile.ts';
import {
  COARSE_QUERY_AT,
  DIMENSIONS,
  FINE_BYTES,
  FINE_QUERY_AT,
  HEAD_BYTES,
  HEAD_DIMENSIONS,
  kernels,
  RESULTS_AT,
  TAIL_BYTES,
} from './kernels.ts';
import { coarseQuery, lengthOf, unit, writeCoarse, writeFine } from './quantized.ts';
import { rotate } from './rotation.ts';

/** Number of rows that are added at once and processed by one call. */
const CHUNK = 2048;
const PAGE = 65_536;
const ROW_BYTES = HEAD_BYTES + TAIL_BYTES + FINE_BYTES;
/** The first page contains queries and results. */
const FIRST_PAGES = 1;

/** Measures rows against one query; not valid after the rows have changed or another query was made. */
export interface Measure {
  /** The cosine of the first dimensions alone, for every row at its index. */
  heads(): Float32Array;
  /** The cosine from the complete 4-bit code, given its part from `heads`; the error is about 0.01. */
  coarse(row: number, head: number): number;
  /** The cosine, with an error of about 1e-6. */
  fine(row: number): number;
}

/**
 * Quantised vectors in rows: 4 bits per dimension for finding, 16 bits for measuring, 2,572 bytes in total. The place of a
 * dropped row is reused; measurements do not depend on places.
 */
export class VectorRows {
  readonly #memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
  readonly #kernels = kernels(this.#memory);
  /** The size of one step of a row's 16-bit components. */
  #steps = new Float32Array(CHUNK);
  /** The length of a row's first dimensions. */
  #headLengths = new Float32Array(CHUNK);
  #heads = new Float32Array(CHUNK);
  readonly #free: number[] = [];
  #length = 0;

  /** Number of rows used so far, including those that are free again. */
  get length(): number {
    return this.#length;
  }

  /** @throws if the vector does not have 1,024 dimensions */
  add(vector: Float32Array): number {
    if (vector.length !== DIMENSIONS) throw new Error(`not ${DIMENSIONS} dimensions`);
    const row = this.#free.pop() ?? this.#append();
    const turned = rotate(unit(vector));
    const { buffer } = this.#memory;
    writeCoarse(
      turned,
      new Uint8Array(buffer, headAt(row), HEAD_BYTES),
      new Uint8Array(buffer, tailAt(row), TAIL_BYTES),
    );
    this.#headLengths[row] = lengthOf(turned.subarray(0, HEAD_DIMENSIONS));
    this.#steps[row] = writeFine(turned, new Int16Array(buffer, fineAt(row), DIMENSIONS));
    return row;
  }

  /** Returns the components of a row's rotated vector, in steps of the row, until rows are added. */
  turned(row: number): Int16Array {
    return new Int16Array(this.#memory.buffer, fineAt(row), DIMENSIONS);
  }

  drop(row: number): void {
    this.#free.push(row);
  }

  /**
   * Returns the blocks that `restored` reads, one for each chunk.
   * @param rowAt the row of each of `count` places, or -1 for a place without one; it can change between blocks
   */
  *blocks(count: number, rowAt: (place: number) => number): Generator<Uint8Array> {
    for (let first = 0; first < count; first += CHUNK) {
      const rows = Math.min(CHUNK, count - first);
      const block = new Uint8Array(rows * (ROW_BYTES + NUMBER_BYTES));
      const numbers = new Float32Array(block.buffer, rows * ROW_BYTES);
      const memory = new Uint8Array(this.#memory.buffer);
      for (let n = 0; n < rows; n += 1) {
        const row = rowAt(first + n);
        if (row < 0) continue;
        for (const { at, bytes, before } of PARTS_OF_CHUNK) {
          block.set(memory.subarray(at(row), at(row) + bytes), rows * before + n * bytes);
        }
        numbers[n] = this.#steps[row] ?? 0;
        numbers[rows + n] = this.#headLengths[row] ?? 0;
      }
      yield block;
    }
  }

  /**
   * Restores stored rows, each in its place.
   * @param has whether a place has a row; the others are free
   */
  static async restored(
    reader: BlockReader,
    count: number,
    has: (place: number) => boolean,
  ): Promise<VectorRows> {
    const rows = new VectorRows();
    const chunks = Math.ceil(count / CHUNK);
    rows.#memory.grow((chunks * CHUNK * ROW_BYTES) / PAGE);
    const capacity = Math.max(1, chunks) * CHUNK;
    rows.#steps = new Float32Array(capacity);
    rows.#headLengths = new Float32Array(capacity);
    rows.#heads = new Float32Array(capacity);
    const memory = new Uint8Array(Math.min(CHUNK, count) * (ROW_BYTES + NUMBER_BYTES));
    for (let first = 0; first < count; first += CHUNK) {
      rows.#takeChunk(first, Math.min(CHUNK, count - first), await reader.next(memory));
    }
    rows.#length = count;
    for (let row = count - 1; row >= 0; row -= 1) if (!has(row)) rows.drop(row);
    return rows;
  }

  #takeChunk(first: number, rows: number, block: Uint8Array): void {
    if (block.byteLength !== rows * (ROW_BYTES + NUMBER_BYTES)) {
      throw new KeptDamaged(`a block of vectors has ${block.byteLength} bytes`);
    }
    const memory = new Uint8Array(this.#memory.buffer);
    for (const { at, bytes, before } of PARTS_OF_CHUNK) {
      memory.set(block.subarray(rows * before, rows * (before + bytes)), at(first));
    }
    const numbers = new Float32Array(block.buffer, block.byteOffset + rows * ROW_BYTES, rows * 2);
    this.#steps.set(numbers.subarray(0, rows), first);
    this.#headLengths.set(numbers.subarray(rows), first);
  }

  measure(vector: Float32Array): Measure {
    const query = rotate(unit(vector));
    const { parts, headOffset, tailOffset, scale } = coarseQuery(query);
    const { buffer } = this.#memory;
    new Int16Array(buffer, COARSE_QUERY_AT, DIMENSIONS).set(parts);
    new Float32Array(buffer, FINE_QUERY_AT, DIMENSIONS).set(query);
    const sums = new Int32Array(buffer, RESULTS_AT, CHUNK);
    const float = new Float32Array(buffer, RESULTS_AT, 1);
    const queryLength = lengthOf(query.subarray(0, HEAD_DIMENSIONS));
    return {
      heads: () => {
        const heads = this.#heads;
        for (let first = 0; first < this.#length; first += CHUNK) {
          const count = Math.min(CHUNK, this.#length - first);
          this.#kernels.head(headAt(first), headAt(first) + count * HEAD_BYTES);
          for (let n = 0; n < count; n += 1) {
            const lengths = queryLength * (this.#headLengths[first + n] ?? 0);
            heads[first + n] =
              lengths === 0 ? 0 : (((sums[n] ?? 0) - headOffset) * scale) / lengths;
          }
        }
        return heads.subarray(0, this.#length);
      },
      coarse: (row, head) => {
        this.#kernels.tail(tailAt(row), tailAt(row) + TAIL_BYTES);
        const lengths = queryLength * (this.#headLengths[row] ?? 0);
        return head * lengths + ((sums[0] ?? 0) - tailOffset) * scale;
      },
      fine: (row) => {
        this.#kernels.fine(fineAt(row), fineAt(row) + FINE_BYTES);
        return (float[0] ?? 0) * (this.#steps[row] ?? 0);
      },
    };
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#steps.byteLength * 3;
  }

  #append(): number {
    const row = this.#length;
    if (row % CHUNK === 0) this.#memory.grow((CHUNK * ROW_BYTES) / PAGE);
    if (row === this.#steps.length) {
      this.#steps = larger(this.#steps);
      this.#headLengths = larger(this.#headLengths);
      this.#heads = new Float32Array(row * 2);
    }
    this.#length += 1;
    return row;
  }
}

function larger(numbers: Float32Array): Float32Array<ArrayBuffer> {
  const grown = new Float32Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}

// A chunk is contiguous: the heads of its rows, then the tails, then the 16-bit components.
const chunkAt = (row: number): number =>
  FIRST_PAGES * PAGE + Math.floor(row / CHUNK) * CHUNK * ROW_BYTES;
const headAt = (row: number): number => chunkAt(row) + (row % CHUNK) * HEAD_BYTES;
const tailAt = (row: number): number =>
  chunkAt(row) + CHUNK * HEAD_BYTES + (row % CHUNK) * TAIL_BYTES;
const fineAt = (row: number): number =>
  chunkAt(row) + CHUNK * (HEAD_BYTES + TAIL_BYTES) + (row % CHUNK) * FINE_BYTES;

/** The step and the length of the first dimensions, stored with each row. */
const NUMBER_BYTES = 2 * Float32Array.BYTES_PER_ELEMENT;
/** The parts of a chunk, in order: where a row's part is, its bytes, and the bytes per row before it. */
const PARTS_OF_CHUNK = [
  { at: headAt, bytes: HEAD_BYTES, before: 0 },
  { at: tailAt, bytes: TAIL_BYTES, before: HEAD_BYTES },
  { at: fineAt, bytes: FINE_BYTES, before: HEAD_BYTES + TAIL_BYTES },
] as const;
