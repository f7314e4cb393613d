import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Read and written by its owner alone: these folders hold keys. */
const MODE = 0o700;

/**
 * Creates a folder and its missing parents, open to nobody else; a folder that exists is left unchanged.
 *
 * `mkdir` of Node with `recursive` never returns where a file system reports ENOENT for a folder whose parent exists, as
 * `/proc` does. Here a folder is tried again once, after its parent.
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
    // Another process may have been first.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
