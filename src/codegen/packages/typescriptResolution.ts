import { ts } from 'ts-morph';
import { lineNumber } from '../source/lines.ts';
import { isTypeScript } from '../source/sourceFile.ts';
import type { ProjectFiles } from './project.ts';
import { relativePath } from './relativePath.ts';

/** A tsconfig.json with which TypeScript cannot resolve the exports of the x402 packages. */
export interface ResolutionProblem {
  readonly path: string;
  /** The line to change, from 1; if the setting is missing, the line of `compilerOptions`. */
  readonly line: number;
  /** The current module resolution: `node10`, `classic`. */
  readonly now: string;
  /** What to write, as lines of `compilerOptions`. */
  readonly change: string;
}

interface Options {
  readonly module?: string | undefined;
  readonly moduleResolution?: string | undefined;
  readonly target?: string | undefined;
}

/** Settings with those that they extend. */
interface Config {
  readonly options: Options;
  /** Settings that are extended and cannot be read, such as a package of the workspace that is not installed yet. */
  readonly unread: boolean;
  readonly references: readonly string[];
  /** `files` and `include`, if they are given. */
  readonly files: readonly string[] | undefined;
  readonly include: readonly string[] | undefined;
}

/**
 * Checks whether the TypeScript settings that apply to a file resolve packages' `exports`, where the x402 packages declare
 * their types (TypeScript: `moduleResolution`). Settings that cannot be read completely are not judged.
 */
export async function resolutionProblem(
  file: string,
  files: ProjectFiles,
): Promise<ResolutionProblem | undefined> {
  if (!isTypeScript(file)) return undefined;
  const nearest = await nearestConfig(file, files);
  const path = nearest === undefined ? undefined : await configOf(file, nearest, files);
  if (path === undefined) return undefined;
  const { options, unread } = await readConfig(path, files, 0);
  if (unread && options.moduleResolution === undefined) return undefined;
  const now = resolutionOf(options, await typescriptMajor(path, files));
  if (now !== 'node10' && now !== 'classic') return undefined;
  const text = (await files.read(path)) ?? '';
  const at = Math.max(text.search(/"moduleResolution"\s*:/), 0) || text.search(/"compilerOptions"/);
  const commonjs = (options.module ?? 'commonjs') === 'commonjs';
  return {
    path,
    line: lineNumber(text, Math.max(at, 0)),
    now,
    change: commonjs
      ? '"module": "node16", "moduleResolution": "node16"'
      : '"moduleResolution": "bundler"',
  };
}

/** The first major version whose defaults find packages' `exports` for every kind of module. */
const BUNDLER_BY_DEFAULT = 6;

function resolutionOf({ module, moduleResolution, target }: Options, major: number): string {
  if (moduleResolution === 'node') return 'node10';
  if (moduleResolution !== undefined) return moduleResolution;
  if (major >= BUNDLER_BY_DEFAULT) return 'bundler';
  if (module === undefined) return /^(es3|es5|undefined)$/.test(`${target}`) ? 'node10' : 'unknown';
  if (module === 'commonjs') return 'node10';
  if (/^(node|preserve)/.test(module)) return module;
  return /^(amd|system|umd|es)/.test(module) ? 'classic' : 'unknown';
}

/** The major version of TypeScript that a project has, or requires; 5 if neither is known. */
async function typescriptMajor(config: string, files: ProjectFiles): Promise<number> {
  for (const folder of foldersUpwards(config)) {
    const installed = await readJson(`${folder}/node_modules/typescript/package.json`, files);
    const manifest = await readJson(`${folder}/package.json`, files);
    const asked = [manifest?.['devDependencies'], manifest?.['dependencies']]
      .filter(isRecord)
      .map((list) => list['typescript'])
      .find((range) => typeof range === 'string');
    const version = installed?.['version'] ?? asked;
    const major = typeof version === 'string' ? /\d+/.exec(version)?.[0] : undefined;
    if (major !== undefined) return Number(major);
  }
  return 5;
}

async function nearestConfig(file: string, files: ProjectFiles): Promise<string | undefined> {
  let folder = file;
  while (folder.includes('/')) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    if (await files.exists(`${folder}/tsconfig.json`)) return `${folder}/tsconfig.json`;
    // Settings above the package belong to another project, unless it refers to them.
    if (await files.exists(`${folder}/package.json`)) return undefined;
  }
  return undefined;
}

/**
 * Returns the settings that apply to a file: those of a project that the nearest ones refer to, if they take no files themselves
 * (TypeScript: project references). Nothing if several could apply.
 */
async function configOf(
  file: string,
  nearest: string,
  files: ProjectFiles,
): Promise<string | undefined> {
  const { references, files: listed, include } = await readConfig(nearest, files, 0);
  if (references.length === 0) return nearest;
  const folder = parentOf(nearest);
  const matching: string[] = [];
  for (const reference of references.slice(0, MAX_REFERENCES)) {
    const at = joinPath(folder, reference);
    const path = await firstThere([at, `${at}/tsconfig.json`], files);
    if (path === undefined) continue;
    const { files: own, include: patterns } = await readConfig(path, files, 0);
    if (takes(file, parentOf(path), own, patterns)) matching.push(path);
  }
  const [only, second] = matching;
  if (only !== undefined) return second === undefined ? only : undefined;
  const takesNone = listed?.length === 0 && (include ?? []).length === 0;
  return takesNone ? undefined : nearest;
}

const MAX_REFERENCES = 50;

/** Whether settings take a file, by the folders of their patterns. */
function takes(
  file: string,
  folder: string,
  listed: readonly string[] | undefined,
  include: readonly string[] | undefined,
): boolean {
  if (listed?.some((each) => joinPath(folder, each) === file)) return true;
  if (include === undefined) return listed === undefined && file.startsWith(`${folder}/`);
  return include.some((pattern) => {
    const [fixed = ''] = pattern.split(/[*?]/);
    const at = joinPath(folder, fixed.replace(/\/$/, ''));
    return pattern.includes('*')
      ? file.startsWith(fixed.endsWith('/') || fixed === '' ? `${at}/` : at)
      : file === at || file.startsWith(`${at}/`);
  });
}

const DEEPEST = 6;

async function readConfig(path: string, files: ProjectFiles, depth: number): Promise<Config> {
  const nothing: Config = {
    options: {},
    unread: true,
    references: [],
    files: undefined,
    include: undefined,
  };
  const text = depth > DEEPEST ? undefined : await files.read(path);
  if (text === undefined) return nothing;
  const { config } = ts.parseConfigFileTextToJson(path, text) as { config?: unknown };
  if (!isRecord(config)) return nothing;
  const own = isRecord(config['compilerOptions']) ? config['compilerOptions'] : {};
  let inherited: Options = {};
  let unread = false;
  for (const base of texts([config['extends']].flat()) ?? []) {
    const found = await basePath(path, base, files);
    const read = found === undefined ? nothing : await readConfig(found, files, depth + 1);
    inherited = { ...inherited, ...read.options };
    unread ||= read.unread;
  }
  const references = Array.isArray(config['references']) ? config['references'] : [];
  return {
    options: { ...inherited, ...lowered(own) },
    unread,
    references: texts(references.map((each: unknown) => isRecord(each) && each['path'])) ?? [],
    files: texts(config['files']),
    include: texts(config['include']),
  };
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : undefined;
}

async function basePath(
  from: string,
  base: string,
  files: ProjectFiles,
): Promise<string | undefined> {
  if (base.startsWith('.') || base.startsWith('/')) {
    const joined = base.startsWith('/') ? base : joinPath(parentOf(from), base);
    return firstThere([joined, `${joined}.json`, `${joined}/tsconfig.json`], files);
  }
  for (const folder of foldersUpwards(from)) {
    const at = `${folder}/node_modules/${base}`;
    const found =
      (await exportedConfig(folder, base, files)) ??
      (await firstThere([at, `${at}.json`, `${at}/tsconfig.json`], files));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Settings that a package names in its `exports`, or in `"tsconfig"` of its manifest. */
async function exportedConfig(
  folder: string,
  base: string,
  files: ProjectFiles,
): Promise<string | undefined> {
  const [, name = '', rest = ''] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(base) ?? [];
  const at = `${folder}/node_modules/${name}`;
  const manifest = await readJson(`${at}/package.json`, files);
  if (!manifest) return undefined;
  const exported = manifest['exports'];
  const entry = isRecord(exported) ? exportOf(exported, `.${rest}`) : rest === '' && exported;
  const named = rest === '' ? manifest['tsconfig'] : undefined;
  const targets = [entry, named].filter((each): each is string => typeof each === 'string');
  return firstThere(
    targets.map((target) => joinPath(at, target)),
    files,
  );
}

/** The target of a subpath in `exports`: the same key, the key with an extension, or one with a star. */
function exportOf(exported: Readonly<Record<string, unknown>>, subpath: string): unknown {
  for (const key of [subpath, `${subpath}.json`]) {
    if (key in exported) return plainTarget(exported[key]);
  }
  for (const [key, target] of Object.entries(exported)) {
    const [before = '', after] = key.split('*');
    if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    const star = subpath.slice(before.length, subpath.length - after.length);
    const plain = plainTarget(target);
    return typeof plain === 'string' ? plain.replace('*', star) : undefined;
  }
  return undefined;
}

/** The target itself, or the one of the first condition that applies to settings. */
function plainTarget(target: unknown): unknown {
  if (!isRecord(target)) return target;
  return plainTarget(target['require'] ?? target['node'] ?? target['default']);
}

async function readJson(
  path: string,
  files: ProjectFiles,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The folders above a path, up to the root, which is empty. */
function* foldersUpwards(path: string): Generator<string> {
  for (let at = path; at !== ''; ) {
    at = parentOf(at);
    yield at;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function joinPath(folder: string, path: string): string {
  return path === '' || path === '.' ? folder : relativePath(folder, path);
}

async function firstThere(
  paths: readonly string[],
  files: ProjectFiles,
): Promise<string | undefined> {
  for (const path of paths) if ((await files.read(path)) !== undefined) return path;
  return undefined;
}

function lowered(options: Readonly<Record<string, unknown>>): Options {
  const entries = ['module', 'moduleResolution', 'target'].flatMap((name) => {
    const value = options[name];
    return typeof value === 'string' ? [[name, value.toLowerCase()]] : [];
  });
  return Object.fromEntries(entries) as Options;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
