import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Text of a file of the project, by its path from the root. */
export function projectFile(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}
