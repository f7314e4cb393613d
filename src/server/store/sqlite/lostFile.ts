import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { StoreError } from '../storeError.ts';

const HEADER_BYTES = 100;

/** Mark beside a store that contains settlements; it distinguishes a lost store from a new one. */
const markOf = (file: string): string => `${file}.settled`;

/** @throws StoreError `corrupt` if the file is missing or empty although it contained settlements */
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
 * SQLite treats a file of one byte as empty, and does not always notice a truncated last page. With a journal beside
 * the file a truncated page is harmless: the journal contains it too.
 * @throws StoreError `corrupt` when the file does not end with a whole page
 */
export function requireWholePages(file: string): void {
  const size = sizeOf(file);
  if (size === 0 || sizeOf(`${file}-wal`) > 0 || sizeOf(`${file}-journal`) > 0) return;
  if (size >= HEADER_BYTES && size % pageSizeOf(file) === 0) return;
  throw new StoreError('corrupt', `${file} was cut off: restore it from a backup`);
}

/** Returns the page size in bytes, a 2-byte number in the file's header (SQLite file format, 1.3.2). */
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

/** Returns a function that writes the mark once. */
export function marker(file: string): () => void {
  let marked = false;
  return () => {
    if (marked) return;
    writeFileSync(markOf(file), '', { mode: 0o600 });
    marked = true;
  };
}

/** Returns a file's size in bytes; 0 if it is missing. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
