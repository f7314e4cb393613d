import picomatch from 'picomatch';
import { parse } from 'yaml';
import type { Style } from '../source/style.ts';
import type { ProjectFiles } from './project.ts';

/** The settings of a project's formatter, as far as inserted code follows them. */
export type FormatterSettings = Partial<
  Pick<
    Style,
    | 'quote'
    | 'semicolons'
    | 'indent'
    | 'width'
    | 'trailingCommas'
    | 'trailingArguments'
    | 'spacedBraces'
  >
>;

type Settings = Readonly<Record<string, unknown>>;

/**
 * Reads the settings of Prettier, Biome and EditorConfig that apply to a file, as data: settings that
 * are programs are not run. Where there are none, the file itself shows its style.
 */
export async function formatterSettings(
  file: string,
  files: ProjectFiles,
): Promise<FormatterSettings> {
  const editor = await editorConfig(file, files);
  for (const folder of foldersUpwards(file)) {
    const prettier = await prettierConfig(folder, files);
    if (prettier) return { ...editor, ...fromPrettier(prettier, file) };
    const biome = await settingsIn(folder, ['biome.json', 'biome.jsonc'], files);
    if (biome) return { ...editor, ...fromBiome(biome) };
  }
  return editor;
}

async function prettierConfig(folder: string, files: ProjectFiles): Promise<Settings | undefined> {
  const names = ['.prettierrc', '.prettierrc.json', '.prettierrc.yaml', '.prettierrc.yml'];
  const own = await settingsIn(folder, names, files);
  if (own) return own;
  const manifest = await settingsIn(folder, ['package.json'], files);
  return isSettings(manifest?.['prettier']) ? manifest['prettier'] : undefined;
}

async function settingsIn(
  folder: string,
  names: readonly string[],
  files: ProjectFiles,
): Promise<Settings | undefined> {
  for (const name of names) {
    const text = await files.read(`${folder}/${name}`);
    if (text === undefined) continue;
    // JSON with comments is close enough to YAML once the comments are gone.
    const plain = name.endsWith('.jsonc') ? text.replaceAll(/^\s*\/\/.*$/gm, '') : text;
    try {
      const value: unknown = parse(plain, { maxAliasCount: 0, logLevel: 'silent' });
      return isSettings(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Prettier's defaults where a project has it and sets nothing else (Prettier 3: Options). */
function fromPrettier(settings: Settings, file: string): FormatterSettings {
  const overrides = Array.isArray(settings['overrides']) ? settings['overrides'] : [];
  let own = settings;
  for (const each of overrides) {
    if (!isSettings(each) || !isSettings(each['options'])) continue;
    const globs = [each['files']].flat().filter((glob) => typeof glob === 'string');
    if (globs.some((glob) => matchesName(file, glob))) own = { ...own, ...each['options'] };
  }
  const tabs = own['useTabs'] === true;
  const comma = own['trailingComma'] ?? 'all';
  return {
    quote: own['singleQuote'] === true ? "'" : '"',
    semicolons: own['semi'] !== false,
    ...(own['useTabs'] === undefined && own['tabWidth'] === undefined
      ? {}
      : { indent: tabs ? '\t' : ' '.repeat(count(own['tabWidth'], 2)) }),
    width: count(own['printWidth'], 80),
    trailingCommas: comma !== 'none',
    trailingArguments: comma === 'all',
    spacedBraces: own['bracketSpacing'] !== false,
  };
}

/** Biome's defaults where a project has it and sets nothing else (Biome 2: Configuration). */
function fromBiome(settings: Settings): FormatterSettings {
  const general = isSettings(settings['formatter']) ? settings['formatter'] : {};
  const javascript = isSettings(settings['javascript']) ? settings['javascript'] : {};
  const script = isSettings(javascript['formatter']) ? javascript['formatter'] : {};
  const own: Settings = { ...general, ...script };
  if (own['enabled'] === false) return {};
  const commas = own['trailingCommas'] ?? own['trailingComma'] ?? 'all';
  return {
    quote: own['quoteStyle'] === 'single' ? "'" : '"',
    semicolons: own['semicolons'] !== 'asNeeded',
    indent: own['indentStyle'] === 'space' ? ' '.repeat(count(own['indentWidth'], 2)) : '\t',
    width: count(own['lineWidth'], 80),
    trailingCommas: commas !== 'none',
    trailingArguments: commas === 'all',
    spacedBraces: own['bracketSpacing'] !== false,
  };
}

/** The sections of the `.editorconfig` files above a file that apply to it (EditorConfig 0.17). */
async function editorConfig(file: string, files: ProjectFiles): Promise<FormatterSettings> {
  let found: Readonly<Record<string, string>> = {};
  for (const folder of foldersUpwards(file)) {
    const text = await files.read(`${folder}/.editorconfig`);
    if (text === undefined) continue;
    found = { ...sections(text, file.slice(folder.length + 1)), ...found };
    if (/^\s*root\s*=\s*true\s*$/im.test(text)) break;
  }
  const { indent_style: kind, indent_size: size, max_line_length: width } = found;
  return {
    ...(kind === 'tab' ? { indent: '\t' } : {}),
    ...(kind === 'space' && Number(size) > 0 ? { indent: ' '.repeat(count(Number(size), 2)) } : {}),
    ...(Number(width) > 0 ? { width: count(Number(width), 80) } : {}),
  };
}

function sections(text: string, path: string): Record<string, string> {
  const found: Record<string, string> = {};
  let meant = false;
  for (const line of text.split(/\r?\n/)) {
    const [, glob] = /^\s*\[(.+)\]\s*$/.exec(line) ?? [];
    if (glob !== undefined) meant = matchesName(path, glob);
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    if (meant && key !== '') found[key.toLowerCase()] = value.toLowerCase();
  }
  return found;
}

/** A pattern without a slash applies to files of any folder. */
function matchesName(path: string, glob: string): boolean {
  if (glob.length > 200) return false;
  const whole = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return picomatch.isMatch(path.replace(/^\//, ''), whole, { dot: true, posix: true });
}

function count(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value > 0 && value <= 400 ? Math.floor(value) : otherwise;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* foldersUpwards(file: string): Generator<string> {
  for (let at = file; at.includes('/'); ) {
    at = at.slice(0, at.lastIndexOf('/'));
    yield at;
  }
}
