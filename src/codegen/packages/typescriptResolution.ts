import { ts } from 'ts-morph';
import { lineNumber } from '../source/lines.ts';
import { isTypeScript } from '../source/sourceFile.ts';
import type { ProjectFiles } from './project.ts';

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

/**
 * Checks whether the TypeScript settings that apply to a file resolve packages' `exports`, where the x402 packages declare
 * their types (TypeScript: `moduleResolution`).
 */
export async function resolutionProblem(
  file: string,
  files: ProjectFiles,
): Promise<ResolutionProblem | undefined> {
  if (!isTypeScript(file)) return undefined;
  const path = await nearestConfig(file, files);
  if (path === undefined) return undefined;
  const options = await optionsOf(path, files, 0);
  const now = resolutionOf(options);
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

function resolutionOf({ module, moduleResolution, target }: Options): string {
  if (moduleResolution === 'node') return 'node10';
  if (moduleResolution !== undefined) return moduleResolution;
  if (module === undefined) return /^(es3|es5|undefined)$/.test(`${target}`) ? 'node10' : 'unknown';
  if (module === 'commonjs') return 'node10';
  if (/^(node|preserve)/.test(module)) return module;
  return /^(amd|system|umd|es)/.test(module) ? 'classic' : 'unknown';
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

const DEEPEST = 6;

async function optionsOf(path: string, files: ProjectFiles, depth: number): Promise<Options> {
  const text = depth > DEEPEST ? undefined : await files.read(path);
  if (text === undefined) return {};
  const { config } = ts.parseConfigFileTextToJson(path, text) as { config?: unknown };
  if (!isRecord(config)) return {};
  const own = isRecord(config['compilerOptions']) ? config['compilerOptions'] : {};
  const bases = [config['extends']]
    .flat()
    .filter((base): base is string => typeof base === 'string');
  let inherited: Options = {};
  for (const base of bases) {
    const found = await basePath(path, base, files);
    if (found !== undefined)
      inherited = { ...inherited, ...(await optionsOf(found, files, depth + 1)) };
  }
  return { ...inherited, ...lowered(own) };
}

async function basePath(
  from: string,
  base: string,
  files: ProjectFiles,
): Promise<string | undefined> {
  let folder = from.slice(0, from.lastIndexOf('/'));
  if (base.startsWith('.') || base.startsWith('/')) {
    const joined = base.startsWith('/') ? base : `${folder}/${base}`;
    return firstThere([joined, `${joined}.json`], files);
  }
  for (;;) {
    const at = `${folder}/node_modules/${base}`;
    const found = await firstThere([at, `${at}.json`, `${at}/tsconfig.json`], files);
    if (found !== undefined || !folder.includes('/')) return found;
    folder = folder.slice(0, folder.lastIndexOf('/'));
  }
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
