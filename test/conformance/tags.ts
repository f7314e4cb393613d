import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A test, or a group of tests, that says which demand it proves. */
export interface Tag {
  /** `Section/Rule`. */
  readonly demand: string;
  /** Path from the root. */
  readonly file: string;
  /** The name of the test without its tags. */
  readonly test: string;
}

const PLACES = ['common', 'network', 'src', 'test', 'contracts'];
const SOURCE = /\.(ts|mjs|cjs|rs)$/;
const TAG = /\[spec: ([^\]]+)\]/g;

/** Every tag in the tests of the project, in the order of files and lines. */
export function readTags(): readonly Tag[] {
  return PLACES.flatMap((place) => sources(join(root, place))).flatMap((path) =>
    tagsOf(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')),
  );
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return ['node_modules', 'target', 'conformance'].includes(entry.name) ? [] : sources(path);
      }
      return SOURCE.test(entry.name) ? [path] : [];
    });
}

/** The tags in the text of one file. */
export function tagsOf(file: string, text: string): readonly Tag[] {
  if (!text.includes('[spec: ')) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, index) =>
    [...line.matchAll(TAG)].map(([, demand = '']) => ({
      demand,
      file,
      test: file.endsWith('.rs') ? nextFunction(lines, index) : nameIn(lines, index),
    })),
  );
}

/** In Rust the tag is a comment above the function. */
function nextFunction(lines: readonly string[], from: number): string {
  const name = /\bfn (\w+)/.exec(lines.slice(from).join('\n'))?.[1] ?? '';
  return name.replaceAll('_', ' ');
}

/** The text around the tag; of a comment inside a test, the name of that test. */
function nameIn(lines: readonly string[], index: number): string {
  for (let at = index; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (at !== index && !/\b(it|describe|test)\(/.test(line)) continue;
    if (line.trimStart().startsWith('//')) continue;
    const text = /(['"`])((?:\\.|(?!\1).)*)\1/.exec(line)?.[2];
    if (text !== undefined) return text.replaceAll(TAG, '').replaceAll('\\', '').trim();
  }
  return '';
}
