import type { ProjectFiles } from './project.ts';
import { relativePath } from './relativePath.ts';
import { isSettings, parseSettings, type Settings } from './settingsFile.ts';

const NAMES = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];
/** Limits on files that extend each other. */
const DEEPEST = 4;
const MAX_BASES = 4;

/**
 * Reads the settings of Biome in a folder, with those that they extend: files, packages, and the root's
 * settings as `//` (Biome 2: Configuration, `extends`; Use Biome in big projects).
 * @param folder absolute, with `/`
 * @returns `undefined` if the folder has no settings of Biome
 */
export async function biomeSettings(
  folder: string,
  files: ProjectFiles,
  depth = 0,
): Promise<Settings | undefined> {
  for (const name of NAMES) {
    const found = await settingsAt(`${folder}/${name}`, files, depth);
    if (found) return found;
  }
  return undefined;
}

async function settingsAt(
  path: string,
  files: ProjectFiles,
  depth: number,
): Promise<Settings | undefined> {
  const text = await files.read(path);
  const own = text === undefined ? undefined : parseSettings(path, text)?.own;
  if (!own || depth === DEEPEST) return own;
  const bases = [own['extends']].flat().filter((base) => typeof base === 'string');
  let settings: Settings = {};
  for (const base of bases.slice(0, MAX_BASES)) {
    const taken = await baseOf(base, relativePath(path, '..'), files, depth + 1);
    if (taken) settings = merged(settings, taken);
  }
  return merged(settings, own);
}

async function baseOf(
  base: string,
  folder: string,
  files: ProjectFiles,
  depth: number,
): Promise<Settings | undefined> {
  if (base === '//') return rootSettings(folder, files, depth);
  if (base.startsWith('.') || /^[^/@]*\.jsonc?$/.test(base)) {
    return settingsAt(relativePath(folder, base), files, depth);
  }
  const [, name, rest = ''] = /^((?:@[\w.-]+\/)?[\w-][\w.-]*)(\/.*)?$/.exec(base) ?? [];
  if (name === undefined || rest.split('/').includes('..')) return undefined;
  for (let at = folder; at !== ''; at = relativePath(at, '..')) {
    const inside = `${at}/node_modules/${name}`;
    const manifest = await files.read(`${inside}/package.json`);
    if (manifest === undefined) continue;
    const file = exportedFile(parseSettings('package.json', manifest)?.own ?? {}, `.${rest}`);
    return file === undefined ? undefined : settingsAt(relativePath(inside, file), files, depth);
  }
  return undefined;
}

/** The settings of the next folder above that are not of a nested project themselves. */
async function rootSettings(
  folder: string,
  files: ProjectFiles,
  depth: number,
): Promise<Settings | undefined> {
  for (let at = relativePath(folder, '..'); at !== ''; at = relativePath(at, '..')) {
    const found = await biomeSettings(at, files, depth);
    if (found && found['root'] !== false) return found;
  }
  return undefined;
}

/**
 * Returns the file that a package exports under a subpath, which its `exports` can rename, also by a pattern with `*`
 * (Node.js: Packages, Subpath exports and Subpath patterns).
 */
function exportedFile({ exports, main }: Settings, subpath: string): string | undefined {
  const named = isSettings(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  let target: unknown = named ? exports[subpath] : subpath;
  if (!named && subpath === '.') target = exports ?? main;
  const star = named && target === undefined ? matchedPattern(exports, subpath) : undefined;
  if (named && star) target = exports[star.pattern];
  const path = isSettings(target)
    ? Object.values(target).find((each) => typeof each === 'string')
    : target;
  if (typeof path !== 'string') return undefined;
  const file = star ? path.replaceAll('*', () => star.matched) : path;
  return /\.jsonc?$/.test(file) && !file.split('/').includes('..') ? file : undefined;
}

/** The pattern with the longest beginning that fits a subpath, and what its `*` stands for. */
function matchedPattern(
  exports: Settings,
  subpath: string,
): { readonly pattern: string; readonly matched: string } | undefined {
  let best: { pattern: string; matched: string; start: number } | undefined;
  for (const pattern of Object.keys(exports)) {
    const [start = '', end, more] = pattern.split('*');
    if (end === undefined || more !== undefined || start.length <= (best?.start ?? -1)) continue;
    if (!subpath.startsWith(start) || !subpath.endsWith(end)) continue;
    const matched = subpath.slice(start.length, subpath.length - end.length);
    if (subpath.length > start.length + end.length) {
      best = { pattern, matched, start: start.length };
    }
  }
  return best;
}

/** One group of settings over another: members of both are merged, lists and values are replaced. */
function merged(below: Settings, above: Settings): Settings {
  const both = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const other = both[key];
    both[key] = isSettings(value) && isSettings(other) ? merged(other, value) : value;
  }
  return both;
}
