import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { StoreError } from '../storeError.ts';

const HEADER_BYTES = 100;

/** Beside a file that settlements were kept in: without it, nobody could tell a lost store from a new one. */
const markOf = (file: string): string => `${file}.settled`;

/** @throws StoreError `corrupt` when the file is gone or empty, though settlements were kept in it */
export function requireNotLost(file: string): void {
  const mark = markOf(file);
  if (sizeOf(file) > 0 || !existsSync(mark)) return;
  const what = existsSync(file) ? 'is empty' : 'is missing';
  throw new StoreError(
    'corrupt',
    `${file} ${what}, though settlements were kept in it: restore it from a backup, or delete ${mark} to begin with an empty store`,
  );
}

/**
 * SQLite takes a file of one byte for an empty one, and does not always notice that the last page is short. With a
 * journal beside the file a short page is harmless: the journal holds it too.
 * @throws StoreError `corrupt` when the file does not end with a whole page
 */
export function requireWholePages(file: string): void {
  const size = sizeOf(file);
  if (size === 0 || sizeOf(`${file}-wal`) > 0 || sizeOf(`${file}-journal`) > 0) return;
  if (size >= HEADER_BYTES && size % pageSizeOf(file) === 0) return;
  throw new StoreError('corrupt', `${file} was cut off: restore it from a backup`);
}

/** Bytes of a page, which are a number of 2 bytes in the file's header (SQLite file format, 1.3.2). */
function pageSizeOf(file: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : Math.max(size, 1);
}

/** Returns what writes the mark, once. */
export function marker(file: string): () => void {
  let marked = false;
  return () => {
    if (marked) return;
    writeFileSync(markOf(file), '', { mode: 0o600 });
    marked = true;
  };
}

/** Bytes of a file; 0 when it is missing. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
