import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file atomically: even after a power failure, it has either the old or the new content.
 * @param chunks the content, in order
 */
export function writeFileAtomically(path: string, chunks: Iterable<Uint8Array>): void {
  const draft = `${path}.draft`;
  const fd = openSync(draft, 'w', 0o600);
  try {
    for (const chunk of chunks) {
      let written = 0;
      while (written < chunk.length) written += writeSync(fd, chunk, written);
    }
    fsyncSync(fd);
  } catch (error) {
    closeSync(fd);
    rmSync(draft, { force: true });
    throw error;
  }
  closeSync(fd);
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Makes a rename durable. Windows cannot open folders and does not need this. */
function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems refuse it for folders.
  } finally {
    closeSync(fd);
  }
}
