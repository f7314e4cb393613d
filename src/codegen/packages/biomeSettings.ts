import type { ProjectFiles } from './project.ts';
import { relativePath } from './relativePath.ts';
import { isSettings, parseSettings, type Settings } from './settingsFile.ts';

const NAMES = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];
/** Limits on files that extend each other. */
const DEEPEST = 4;
const MOST_BASES = 4;

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
  for (const base of bases.slice(0, MOST_BASES)) {
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

/** The file that a package exports under a name, which its `exports` may rename (Node.js: Packages, Subpath exports). */
function exportedFile({ exports, main }: Settings, subpath: string): string | undefined {
  const named = isSettings(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  let target: unknown = named ? exports[subpath] : subpath;
  if (!named && subpath === '.') target = exports ?? main;
  const file = isSettings(target)
    ? Object.values(target).find((each) => typeof each === 'string')
    : target;
  if (typeof file !== 'string' || file.split('/').includes('..')) return undefined;
  return /\.jsonc?$/.test(file) ? file : undefined;
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
