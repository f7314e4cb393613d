import { type ImportedMount, Mounts, type OutsideMounts } from '../routes/mounts.ts';
import { Bindings } from '../source/bindings.ts';
import { parseSource, scriptExtension, unlessTooDeep } from '../source/sourceFile.ts';
import { type ProjectFiles, withBudget } from './project.ts';
import { relativePath } from './relativePath.ts';

/** Usual names of files that assemble an app. */
const NAMES = ['index', 'app', 'server', 'main', 'routes', 'router'];
const EXTENSIONS = ['ts', 'tsx', 'js', 'mjs'];

/** Maximum number of parent folders searched, and of files that mount each other. */
const MAX_FOLDERS = 6;
const DEEPEST = 3;

/** Characters that are parsed of all these files together. */
const MAX_CHARACTERS = 200_000;

/**
 * Finds the paths at which other files mount the Hono apps that a file exports. It reads only files whose names suggest that
 * they assemble an app, in the file's own folder and its parents.
 * @param file with `/`
 * @param folder folder of the nearest package.json
 */
export function honoMounts(
  file: string,
  text: string,
  folder: string,
  files: ProjectFiles,
): Promise<OutsideMounts | undefined> {
  const moderate = withBudget(files, MAX_CHARACTERS, (other) => other.includes('.route('));
  return mountsOf(file, text, folder, moderate, [file]);
}

async function mountsOf(
  file: string,
  text: string,
  folder: string,
  files: ProjectFiles,
  seen: readonly string[],
): Promise<OutsideMounts | undefined> {
  const exportsApp = /\bHono\b/.test(text) && /\bexports?\b/.test(text);
  if (!exportsApp || seen.length > DEEPEST) return undefined;
  const found = new Map<string, string | undefined>();
  for (const path of candidates(file, folder)) {
    if (seen.includes(path)) continue;
    const other = await files.read(path);
    if (other === undefined || !other.includes('.route(')) continue;
    // Most such files mount something else.
    if (!mounted(path, other).some(({ module }) => leadsTo(module, path, file, folder))) continue;
    const outside = await mountsOf(path, other, folder, files, [...seen, path]);
    for (const { module, name, path: at } of mounted(path, other, outside)) {
      if (!leadsTo(module, path, file, folder)) continue;
      found.set(name, found.has(name) && found.get(name) !== at ? undefined : at);
    }
  }
  const certain = [...found].filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(certain);
}

function mounted(path: string, text: string, outside?: OutsideMounts): readonly ImportedMount[] {
  return unlessTooDeep(
    () => new Mounts(parseSource(path, text), new Bindings(), outside).imported(),
    [],
  );
}

/** The files that may assemble the app of a file, closest first. */
export function* candidates(file: string, folder: string): Generator<string> {
  const folders = new Set<string>();
  let at = file;
  while (at.includes('/') && at !== folder && folders.size < MAX_FOLDERS) {
    at = at.slice(0, at.lastIndexOf('/'));
    folders.add(at);
  }
  folders.add(`${folder}/src`);
  for (const each of folders) {
    for (const name of NAMES) {
      for (const extension of EXTENSIONS) {
        const path = `${each}/${name}.${extension}`;
        if (path !== file) yield path;
      }
    }
  }
}

/** Whether an import of a file is another file: `./items`, `../routes/items.js`, `@/routes/items`. */
export function leadsTo(module: string, from: string, file: string, folder: string): boolean {
  const own = withoutExtension(file);
  const targets = [own, own.replace(/\/index$/, '')];
  const aliased = /^[@~#]\/(.+)$/.exec(module)?.[1];
  const places = aliased
    ? [`${folder}/src/${aliased}`, `${folder}/${aliased}`]
    : module.startsWith('.')
      ? [relativePath(from.slice(0, from.lastIndexOf('/')), module)]
      : [];
  return places.some((place) => targets.includes(withoutExtension(place)));
}

function withoutExtension(path: string): string {
  return scriptExtension(path) === undefined ? path : path.replace(/\.[^./]+$/, '');
}
