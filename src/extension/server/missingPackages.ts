import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const IMPORTED =
  /(?:from\s*|import\s*(?:\(\s*)?|require\s*\(\s*)['"]((?:@x402|@stellar)\/[\w.-]+)/g;

/** The packages of x402 and Stellar that the code of a file imports. */
export function packagesInCode(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORTED)].map(([, name = '']) => name))].sort();
}

/**
 * Returns the packages that a program in this file would not find: they are in no `node_modules` from its folder upwards. A
 * project with Yarn's Plug'n'Play has no such folder, so nothing is said about it.
 */
export async function missingPackages(
  file: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const folders = foldersUpwards(dirname(file));
  if (await anyExists(folders.map((folder) => join(folder, '.pnp.cjs')))) return [];
  const found = await Promise.all(
    names.map((name) =>
      anyExists(folders.map((folder) => join(folder, 'node_modules', name, 'package.json'))),
    ),
  );
  return names.filter((_name, index) => !found[index]);
}

async function anyExists(paths: readonly string[]): Promise<boolean> {
  const results = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return results.includes(true);
}

function foldersUpwards(from: string): readonly string[] {
  const parent = dirname(from);
  return parent === from ? [from] : [from, ...foldersUpwards(parent)];
}
