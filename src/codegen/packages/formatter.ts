import picomatch from 'picomatch';
import type { Style } from '../source/style.ts';
import { biomeSettings } from './biomeSettings.ts';
import type { ProjectFiles } from './project.ts';
import { relativePath } from './relativePath.ts';
import { isSettings, parseSettings, type Settings } from './settingsFile.ts';

/** The settings of a project's formatter that inserted code follows. */
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
    | 'tabWidth'
    | 'arrowParens'
    | 'sameQuotedNames'
  >
>;

/** The names of Prettier's settings files, in its order (Prettier 3: Configuration File). */
const PRETTIER = [
  ...[
    '.prettierrc',
    '.prettierrc.json',
    '.prettierrc.yaml',
    '.prettierrc.yml',
    '.prettierrc.json5',
  ],
  ...['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].flatMap((extension) => [
    `.prettierrc.${extension}`,
    `prettier.config.${extension}`,
  ]),
  '.prettierrc.toml',
];

/**
 * Reads the settings of Prettier, Biome and EditorConfig that apply to a file, as data: settings that are programs are not run.
 * Without settings, the file itself shows its style.
 */
export async function formatterSettings(
  file: string,
  files: ProjectFiles,
): Promise<FormatterSettings> {
  const editor = await editorConfig(file, files);
  let bare: FormatterSettings | undefined;
  for (const folder of foldersUpwards(file)) {
    const path = file.slice(folder.length + 1);
    const prettier = await prettierConfig(folder, files);
    if (prettier) return { ...editor, ...fromPrettier(prettier, path, editor) };
    const biome = await biomeSettings(folder, files);
    if (biome) return { ...editor, ...fromBiome(biome, path, editor) };
    if (!bare && (await runsPrettier(folder, files))) bare = fromPrettier({}, path, editor);
  }
  return { ...editor, ...bare };
}

/**
 * Whether a package formats itself with Prettier's defaults: it has Prettier and a script that runs it without style options.
 * With only ESLint's plugin, ESLint's settings would apply.
 */
async function runsPrettier(folder: string, files: ProjectFiles): Promise<boolean> {
  const manifest = await settingsIn(folder, ['package.json'], files);
  const { dependencies, devDependencies, scripts } = manifest ?? {};
  const has = [dependencies, devDependencies].some(
    (each) => isSettings(each) && each['prettier'] !== undefined,
  );
  if (!has || !isSettings(scripts)) return false;
  const runs = Object.values(scripts).filter(
    (script): script is string =>
      typeof script === 'string' && /(^|[\s;&|])prettier\s/.test(script),
  );
  return runs.length > 0 && !runs.some((script) => STYLED.test(script));
}

/** Options of Prettier's command that determine the style (Prettier 3: Options, CLI). */
const STYLED =
  /--(config|no-config|print-width|tab-width|use-tabs|no-semi|(jsx-)?single-quote|quote-props|trailing-comma|no-bracket-spacing|arrow-parens|end-of-line)\b/;

async function prettierConfig(folder: string, files: ProjectFiles): Promise<Settings | undefined> {
  const manifest = await settingsIn(folder, ['package.json'], files);
  const inManifest = manifest?.['prettier'];
  if (isSettings(inManifest)) return inManifest;
  if (typeof inManifest === 'string') return sharedSettings(inManifest, folder, files);
  return settingsIn(folder, PRETTIER, files);
}

/** Settings shared by several projects are a separate package. */
async function sharedSettings(
  name: string,
  folder: string,
  files: ProjectFiles,
  depth = 0,
): Promise<Settings | undefined> {
  if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(name)) return undefined;
  for (const at of [folder, ...foldersUpwards(folder)]) {
    const inside = `${at}/node_modules/${name}`;
    const manifest = await settingsIn(inside, ['package.json'], files);
    if (!manifest) continue;
    const main = typeof manifest['main'] === 'string' ? manifest['main'].replace(/^\.\//, '') : '';
    const plain = main.split('/').includes('..') ? '' : main;
    const names = [plain, `${plain}.js`, 'index.js', 'index.json', 'index.mjs'].filter(scripted);
    return settingsIn(inside, names, files, depth);
  }
  return undefined;
}

function scripted(name: string): boolean {
  return /\.([cm]?js|ts|json)$/.test(name);
}

async function settingsIn(
  folder: string,
  names: readonly string[],
  files: ProjectFiles,
  depth = 0,
): Promise<Settings | undefined> {
  for (const name of names) {
    const path = `${folder}/${name}`;
    const text = await files.read(path);
    if (text === undefined) continue;
    const found = parseSettings(name, text);
    if (!found || depth === DEEPEST) return found?.own;
    let settings: Settings = {};
    for (const base of found.bases.slice(0, MAX_BASES)) {
      const taken = await settingsOf(base, relativePath(path, '..'), files, depth + 1);
      settings = { ...settings, ...taken };
    }
    return { ...settings, ...found.own };
  }
  return undefined;
}

/** Maximum depth of settings files that extend each other, and maximum number that one file extends. */
const DEEPEST = 4;
const MAX_BASES = 4;

/** The settings that a module exports. */
function settingsOf(
  module: string,
  folder: string,
  files: ProjectFiles,
  depth: number,
): Promise<Settings | undefined> {
  if (!module.startsWith('.')) return sharedSettings(module, folder, files, depth);
  const path = relativePath(folder, module);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extensions = ['', '.js', '.cjs', '.mjs', '.ts', '.json', '/index.js'];
  const names = extensions.map((each) => name + each);
  return settingsIn(relativePath(path, '..'), names.filter(scripted), files, depth);
}

/** Prettier's defaults, for a project that has it and sets nothing else (Prettier 3: Options). */
function fromPrettier(
  settings: Settings,
  file: string,
  editor: FormatterSettings,
): FormatterSettings {
  let own = settings;
  for (const { globs, options } of overridesIn(settings, 'files')) {
    if (globs.some((glob) => matchesName(file, glob))) own = { ...own, ...options };
  }
  const { indent } = editor;
  const tabs = own['useTabs'] === undefined ? indent === '\t' : own['useTabs'] === true;
  const tabWidth = count(own['tabWidth'], editor.tabWidth ?? (tabs ? 2 : indent?.length) ?? 2);
  const comma = own['trailingComma'] ?? 'all';
  return {
    quote: own['singleQuote'] === true ? "'" : '"',
    semicolons: own['semi'] !== false,
    indent: tabs ? '\t' : ' '.repeat(tabWidth),
    tabWidth,
    width: count(own['printWidth'], editor.width ?? 80),
    trailingCommas: comma !== 'none',
    trailingArguments: comma === 'all',
    spacedBraces: own['bracketSpacing'] !== false,
    arrowParens: own['arrowParens'] !== 'avoid',
    sameQuotedNames: own['quoteProps'] === 'consistent',
  };
}

/** Biome's defaults, for a project that has it and sets nothing else (Biome 2: Configuration). */
function fromBiome(settings: Settings, file: string, editor: FormatterSettings): FormatterSettings {
  let own = biomeOptions(settings);
  for (const { globs, options } of [
    ...overridesIn(settings, 'includes'),
    ...overridesIn(settings, 'include'),
  ]) {
    if (globs.some((glob) => matchesName(file, glob))) own = { ...own, ...biomeOptions(options) };
  }
  if (own['enabled'] === false) return {};
  const known = own['useEditorconfig'] === true ? editor : {};
  const commas = own['trailingCommas'] ?? own['trailingComma'] ?? 'all';
  const style = own['indentStyle'] ?? (known.indent?.startsWith(' ') ? 'space' : 'tab');
  const tabWidth = count(own['indentWidth'], count(own['indentSize'], known.tabWidth ?? 2));
  return {
    quote: own['quoteStyle'] === 'single' ? "'" : '"',
    semicolons: own['semicolons'] !== 'asNeeded',
    indent: style === 'space' ? ' '.repeat(tabWidth) : '\t',
    tabWidth,
    width: count(own['lineWidth'], known.width ?? 80),
    trailingCommas: commas !== 'none',
    trailingArguments: commas === 'all',
    spacedBraces: own['bracketSpacing'] !== false,
    arrowParens: own['arrowParentheses'] !== 'asNeeded',
    sameQuotedNames: false,
  };
}

function biomeOptions(settings: Settings): Settings {
  const general = isSettings(settings['formatter']) ? settings['formatter'] : {};
  const javascript = isSettings(settings['javascript']) ? settings['javascript'] : {};
  const script = isSettings(javascript['formatter']) ? javascript['formatter'] : {};
  return { ...general, ...script };
}

/** Overrides for some files: Prettier puts them in `options`, Biome beside the patterns. */
function overridesIn(
  settings: Settings,
  patterns: 'files' | 'includes' | 'include',
): readonly { readonly globs: readonly string[]; readonly options: Settings }[] {
  const list = Array.isArray(settings['overrides']) ? settings['overrides'] : [];
  return list.filter(isSettings).flatMap((each) => {
    const globs = [each[patterns]].flat().filter((glob) => typeof glob === 'string');
    const options = patterns === 'files' ? each['options'] : each;
    return isSettings(options) ? [{ globs, options }] : [];
  });
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
  const { indent_style: kind, indent_size: size, tab_width: tab, max_line_length: width } = found;
  const columns = Number(size === 'tab' ? tab : (size ?? tab));
  return {
    ...(kind === 'tab' ? { indent: '\t' } : {}),
    ...(kind === 'space' && columns > 0 ? { indent: ' '.repeat(count(columns, 2)) } : {}),
    ...(columns > 0 ? { tabWidth: count(columns, 2) } : {}),
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

/** A pattern without a slash applies to files in any folder. */
function matchesName(path: string, glob: string): boolean {
  if (glob.length > 200) return false;
  const whole = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return picomatch.isMatch(path.replace(/^\//, ''), whole, { dot: true, posix: true });
}

function count(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value > 0 && value <= 400 ? Math.floor(value) : otherwise;
}

function* foldersUpwards(file: string): Generator<string> {
  for (let at = file; at.includes('/'); ) {
    at = at.slice(0, at.lastIndexOf('/'));
    yield at;
  }
}
