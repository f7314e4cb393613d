import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the owner can read and write: these folders hold keys. */
const MODE = 0o700;

/**
 * Creates a folder and its missing parents, readable by nobody else; an existing folder is left unchanged.
 *
 * Node's `mkdir` with `recursive` never returns if a file system reports ENOENT for a folder whose parent exists, as
 * `/proc` does. This function retries a folder only once, after its parent.
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: MODE });
  } catch (error) {
    if (isFolder(path)) return;
    const parent = dirname(path);
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing || parent === path) throw error;
    makeFolder(parent);
    makeLast(path);
  }
}

function makeLast(path: string): void {
  try {
    mkdirSync(path, { mode: MODE });
  } catch (error) {
    // Another process may have created it first.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
