import { AGENTS, LOCKS } from 'package-manager-detector/constants';
import picomatch from 'picomatch';
import { ts } from 'ts-morph';
import { parse } from 'yaml';
import { packageName } from '../source/moduleNames.ts';
import { relativePath } from './relativePath.ts';

/** File access provided by the caller; paths use `/`. */
export interface ProjectFiles {
  exists(path: string): Promise<boolean>;
  /** `undefined` if the file does not exist. */
  read(path: string): Promise<string | undefined>;
  /** The scripts below a folder, without those of dependencies; absent if the caller cannot list a folder. */
  readonly scripts?: (folder: string) => Promise<readonly string[]>;
}

/**
 * Returns files of which only so many characters are read together: reading them takes time in which an editor waits. A file that
 * does not fit is read as a missing one.
 * @param isParsed whether the caller parses a file, because only that takes long
 */
export function withBudget(
  files: ProjectFiles,
  characters: number,
  isParsed: (text: string) => boolean = () => true,
): ProjectFiles {
  let left = characters;
  return {
    exists: files.exists,
    async read(path) {
      const text = await files.read(path);
      if (text === undefined || !isParsed(text)) return text;
      if (text.length > left) return undefined;
      left -= text.length;
      return text;
    },
  };
}

export type Agent = (typeof AGENTS)[number];

/** The package that a file belongs to, and how its packages are installed. */
export interface Project {
  /** The folder of the nearest package.json. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** `npm`, `pnpm`, `yarn`, `yarn@berry`, `bun`… */
  readonly agent: Agent;
  /** The folder of the lock file, or the package's own folder if there is none. */
  readonly root: string;
  /** The package's role in a workspace: its root, a member, or none. */
  readonly workspace: 'root' | 'member' | 'none';
}

export interface Manifest {
  readonly name?: string;
  readonly type?: string;
  readonly packageManager?: string;
  readonly workspaces?: readonly string[];
  /** The import map of a Deno project, by alias. */
  readonly imports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages that a manifest requires; `undefined` if it names none, as in part of a monorepo. */
export function dependencyNames({ manifest }: Project): readonly string[] | undefined {
  const { dependencies, devDependencies, peerDependencies, imports = {} } = manifest;
  const mapped = Object.values(imports)
    .map(packageName)
    .filter((name) => !/^\.{0,2}\//.test(name));
  const asked = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const names = [...asked, ...mapped];
  return names.length === 0 ? undefined : names;
}

/**
 * Finds the package of a file and its package manager: the nearest package.json, and the nearest lock
 * file from there upwards.
 */
export async function findProject(file: string, files: ProjectFiles): Promise<Project | undefined> {
  const nearest = await nearestPackage(file, files);
  if (nearest === undefined) return undefined;
  const { folder } = nearest;
  const manifest = nearest.manifest;
  if (nearest.isDeno) return { folder, manifest, agent: 'deno', root: folder, workspace: 'none' };
  for (const at of foldersUpwards(folder)) {
    const name = await lockedBy(at, files);
    if (!name) continue;
    const member = at !== folder && (await isMember(at, folder, files));
    // A lock file further up that does not know the package belongs to another project.
    if (at !== folder && !member) break;
    const rootManifest =
      at === folder ? manifest : parseManifest(await files.read(`${at}/package.json`));
    const isRoot = at === folder && (await memberPatterns(at, files)).length > 0;
    return {
      folder,
      manifest,
      agent: await agentOf(name, at, rootManifest, files),
      root: at,
      workspace: member ? 'member' : isRoot ? 'root' : 'none',
    };
  }
  const [asked = 'npm', version] = (manifest.packageManager ?? 'npm').split('@');
  const agent = AGENTS.find((each) => each === asked) ?? 'npm';
  const berry = agent === 'yarn' && Number.parseInt(version ?? '1', 10) > 1;
  return { folder, manifest, agent: berry ? 'yarn@berry' : agent, root: folder, workspace: 'none' };
}

async function nearestPackage(
  file: string,
  files: ProjectFiles,
): Promise<
  { readonly folder: string; readonly manifest: Manifest; readonly isDeno: boolean } | undefined
> {
  for (const folder of foldersUpwards(parentFolder(file))) {
    const text = await files.read(`${folder}/package.json`);
    if (text !== undefined) return { folder, manifest: parseManifest(text), isDeno: false };
    for (const name of ['deno.json', 'deno.jsonc']) {
      const settings = await files.read(`${folder}/${name}`);
      if (settings === undefined) continue;
      return { folder, manifest: await denoManifest(folder, settings, files), isDeno: true };
    }
  }
  return undefined;
}

/** A `deno.json` in the form of a manifest: its name, and the imports of it or of the map that it names. */
async function denoManifest(folder: string, text: string, files: ProjectFiles): Promise<Manifest> {
  const settings = commented(text);
  const { name, importMap } = settings;
  const map =
    typeof importMap === 'string'
      ? commented((await files.read(relativePath(folder, importMap))) ?? '')
      : settings;
  const imports = Object.entries(isObject(map['imports']) ? map['imports'] : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    ...(typeof name === 'string' ? { name } : {}),
    type: 'module',
    imports: Object.fromEntries(imports),
  };
}

/** JSON with comments, as `deno.jsonc` is. */
function commented(text: string): Readonly<Record<string, unknown>> {
  const { config } = ts.parseConfigFileTextToJson('deno.jsonc', text) as { config?: unknown };
  return isObject(config) ? config : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function lockedBy(folder: string, files: ProjectFiles): Promise<Agent | undefined> {
  for (const [lock, agent] of Object.entries(LOCKS)) {
    if (await files.exists(`${folder}/${lock}`)) return agent;
  }
  return undefined;
}

/** Yarn changed its commands with version 2, pnpm with 7. */
async function agentOf(
  name: Agent,
  root: string,
  { packageManager }: Manifest,
  files: ProjectFiles,
): Promise<Agent> {
  const [asked, version = ''] = (packageManager ?? '').split('@');
  const major = Number.parseInt(version, 10);
  if (name === 'yarn') {
    if (asked === 'yarn' && major > 1) return 'yarn@berry';
    const lock = (await files.read(`${root}/yarn.lock`)) ?? '';
    return lock.slice(0, 1_000).includes('__metadata:') ? 'yarn@berry' : 'yarn';
  }
  return name === 'pnpm' && asked === 'pnpm' && major < 7 ? 'pnpm@6' : name;
}

async function isMember(root: string, folder: string, files: ProjectFiles): Promise<boolean> {
  const path = folder.slice(root.length + 1);
  const patterns = await memberPatterns(root, files);
  const included = patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern, path));
  const excluded = patterns.some(
    (pattern) => pattern.startsWith('!') && matches(pattern.slice(1), path),
  );
  return included && !excluded;
}

/** The folders that a workspace names: in package.json, or in pnpm-workspace.yaml. */
async function memberPatterns(root: string, files: ProjectFiles): Promise<readonly string[]> {
  const yaml = await files.read(`${root}/pnpm-workspace.yaml`);
  const listed = yaml === undefined ? [] : yamlList(yaml, 'packages');
  const { workspaces = [] } = parseManifest(await files.read(`${root}/package.json`));
  return [...listed, ...workspaces].map((pattern) =>
    pattern.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''),
  );
}

/** The strings of a list in a YAML file; none if the file is not YAML or contains something else. */
function yamlList(yaml: string, key: string): readonly string[] {
  // A list of folders never needs aliases, and without them no document can expand when it is parsed.
  let value: unknown;
  try {
    value = parse(yaml, { maxAliasCount: 0, logLevel: 'silent' });
  } catch {
    return [];
  }
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}

/** `packages/*` and `apps/**` as workspaces write them. */
function matches(pattern: string, path: string): boolean {
  return picomatch.isMatch(path, pattern, { dot: true, posix: true });
}

/** A manifest's members of the expected type: anyone might have written it. */
function parseManifest(text: string | undefined): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
  if (!isRecord(value)) return {};
  const {
    name,
    type,
    packageManager,
    workspaces,
    dependencies,
    devDependencies,
    peerDependencies,
  } = value;
  const globs = workspaceGlobs(workspaces);
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof packageManager === 'string' ? { packageManager } : {}),
    ...(globs === undefined ? {} : { workspaces: globs }),
    ...(isRecord(dependencies) ? { dependencies: texts(dependencies) } : {}),
    ...(isRecord(devDependencies) ? { devDependencies: texts(devDependencies) } : {}),
    ...(isRecord(peerDependencies) ? { peerDependencies: texts(peerDependencies) } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function texts(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function workspaceGlobs(value: unknown): readonly string[] | undefined {
  const list = isRecord(value) ? value['packages'] : value;
  if (!Array.isArray(list)) return undefined;
  return list.filter((glob): glob is string => typeof glob === 'string');
}

function parentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function* foldersUpwards(from: string): Generator<string> {
  for (let at = from; ; at = parentFolder(at)) {
    yield at;
    if (!at.includes('/')) return;
  }
}
