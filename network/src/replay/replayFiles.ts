import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file of recorded ledgers. */
export interface ReplayFile {
  readonly path: string;
  readonly folder: string;
  /** The name of its test case, if an index next to the file has one. */
  readonly name: string;
}

const EXTENSION = '.xdr';
const INDEX = 'index.json';

/** The files for a list of paths: a file itself, or all `.xdr` files below a folder, in order. */
export function replayFiles(paths: readonly string[]): ReplayFile[] {
  const files = paths.flatMap(filesBelow);
  const names = new Map<string, ReadonlyMap<string, string>>();
  return files.map((path) => {
    const folder = dirname(path);
    const index = names.get(folder) ?? readIndex(folder);
    names.set(folder, index);
    const stem = basename(path, EXTENSION);
    return { path, folder: basename(folder), name: index.get(stem) ?? stem };
  });
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .flatMap((child) =>
      statSync(child).isDirectory() || child.endsWith(EXTENSION) ? filesBelow(child) : [],
    );
}

/** An index names the test case of each file; not every folder has one. */
function readIndex(folder: string): ReadonlyMap<string, string> {
  try {
    const index: unknown = JSON.parse(readFileSync(join(folder, INDEX), 'utf8'));
    if (typeof index !== 'object' || index === null) return new Map();
    return new Map(Object.entries(index).map(([file, name]) => [file, String(name)]));
  } catch {
    return new Map();
  }
}
