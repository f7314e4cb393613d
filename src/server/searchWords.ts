import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Reads the search's table of word vectors: beside the bundle that this code ships in, or in the source tree.
 *
 * @throws when there is none
 */
export function readSearchWords(): Uint8Array {
  const shipped = fileURLToPath(new URL('./search-words.bin', import.meta.url));
  if (existsSync(shipped)) return readFileSync(shipped);
  return readFileSync(new URL('./search/semantic/words.bin', import.meta.url));
}
