import type { GrowableUint32 } from '../ranking/growable.ts';
import { type BlockReader, KeptDamaged } from './indexFile.ts';

/** Returns the bytes of numbers, in this machine's byte order, which is part of a stored index's form. */
export const bytesOf = (numbers: ArrayBufferView): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

export const textsBlock = (texts: readonly string[]): Uint8Array =>
  Buffer.from(JSON.stringify(texts));

/** @throws KeptDamaged if the block does not contain a list of this many texts */
export async function readTexts(reader: BlockReader, count?: number): Promise<string[]> {
  const texts: unknown = JSON.parse(Buffer.from(await reader.next()).toString());
  const isList = Array.isArray(texts) && texts.every((text) => typeof text === 'string');
  if (!isList || (count !== undefined && texts.length !== count)) {
    throw new KeptDamaged('a list of texts has another length');
  }
  return texts;
}

type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** Reads a block of `count` numbers. @throws KeptDamaged if there are more or fewer */
export async function readNumbers<T extends Numbers>(
  reader: BlockReader,
  kind: {
    new (buffer: ArrayBufferLike, offset: number, length: number): T;
    BYTES_PER_ELEMENT: number;
  },
  count: number,
): Promise<T> {
  const block = await reader.next();
  if (block.byteLength !== count * kind.BYTES_PER_ELEMENT) {
    throw new KeptDamaged(`a block has ${block.byteLength} bytes`);
  }
  return new kind(block.buffer, block.byteOffset, count);
}

/** Three blocks for named rows of numbers: the names, the lengths of the rows, the numbers. */
export function* rowsBlocks(rows: ReadonlyMap<string, GrowableUint32>): Generator<Uint8Array> {
  yield textsBlock([...rows.keys()]);
  yield bytesOf(Uint32Array.from(rows.values(), ({ length }) => length));
  let total = 0;
  for (const { length } of rows.values()) total += length;
  const numbers = new Uint32Array(total);
  let at = 0;
  for (const row of rows.values()) {
    numbers.set(row.view(), at);
    at += row.length;
  }
  yield bytesOf(numbers);
}

/**
 * Reads named rows of numbers.
 * @param make creates a row over its numbers, which it can use as its memory
 */
export async function readRows<T>(
  reader: BlockReader,
  make: (numbers: Uint32Array) => T,
): Promise<Map<string, T>> {
  const names = await readTexts(reader);
  const lengths = await readNumbers(reader, Uint32Array, names.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const numbers = await readNumbers(reader, Uint32Array, total);
  let at = 0;
  return new Map(
    names.map((name, n) => {
      const from = at;
      at += lengths[n] ?? 0;
      return [name, make(numbers.subarray(from, at))] as const;
    }),
  );
}
