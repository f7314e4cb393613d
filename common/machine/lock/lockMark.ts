import { readdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockHolder, parseHolder } from './lockHolder.ts';

/** A mark: the one file in a lock's folder. Its name is used once, so removing it never removes another's. */
export interface LockMark {
  readonly path: string;
  /** The text that was read; any change is a heartbeat. */
  readonly text: string;
  readonly holder: LockHolder | undefined;
}

/** Digits of the counter, so that each heartbeat completely overwrites the previous one. */
const COUNTER_DIGITS = 12;

export function markText(holder: LockHolder, beat: number): string {
  return JSON.stringify({ beat: String(beat).padStart(COUNTER_DIGITS, '0'), ...holder });
}

/** Writes a heartbeat. False if the mark is gone: another process adopted the lock. */
export function writeBeat(path: string, holder: LockHolder, beat: number): boolean {
  try {
    // `r+` never creates the file, so a removed mark stays removed.
    writeFileSync(path, markText(holder, beat), { flag: 'r+' });
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** Reads the marks in a lock's folder: none if the lock is free. */
export function readMarks(folder: string): LockMark[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
  return names.flatMap((name) => readMark(join(folder, name)) ?? []);
}

/** Reads one mark; undefined if it is gone. */
export function readMark(path: string): LockMark | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return { path, text, holder: holderIn(text) };
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Removes a file that may be gone already. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}

/** Removes a folder if it is empty. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Systems report a folder that is not empty with different codes.
    if (!isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'EACCES')) throw error;
  }
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function holderIn(text: string): LockHolder | undefined {
  try {
    return parseHolder(JSON.parse(text));
  } catch {
    return undefined;
  }
}
