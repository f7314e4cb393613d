import { LockError } from '../../../machine/index.ts';
import { StoreError, type StoreErrorCode } from '../storeError.ts';

/** SQLite's own messages for each state; the library passes on messages, not numbers. */
const MEANINGS: readonly (readonly [RegExp, StoreErrorCode])[] = [
  [/UNIQUE constraint failed|PRIMARY KEY/i, 'conflict'],
  [/malformed|not a database|file is encrypted/i, 'corrupt'],
  [/readonly database/i, 'read_only'],
  [/database is locked/i, 'in_use'],
  // A write that the system refused; SQLite also reports a full disk this way.
  [/is full|disk I\/O error/i, 'full'],
  [/unable to open database/i, 'read_only'],
];

/** Converts a failure of SQLite, or of the file system below it, to a StoreError. */
export function sqliteError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  if (cause instanceof LockError) return new StoreError('in_use', cause.message, { cause });
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Error && 'code' in cause) {
    if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT') {
      return new StoreError('full', 'the disk is full', { cause });
    }
    if (cause.code === 'EACCES' || cause.code === 'EROFS' || cause.code === 'EPERM') {
      return new StoreError('read_only', 'the data folder cannot be written', { cause });
    }
  }
  const found = MEANINGS.find(([words]) => words.test(message));
  return new StoreError(found?.[1] ?? 'failed', message, { cause });
}
