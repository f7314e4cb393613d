import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Arguments for `spawn` and `execFile`, without a shell. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are already quoted for cmd.exe. */
  readonly windowsVerbatimArguments: boolean;
}

/** A program's location: turns its arguments into a command to start. */
export type Program = (args: readonly string[]) => ProgramCall;

/** Where to look for programs. */
export interface ProgramSearch {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The program that runs this code: Node, or an editor built on Electron. */
  readonly execPath: string;
  readonly isNode: boolean;
}

const here = (): ProgramSearch => ({
  environment: process.env,
  platform: process.platform,
  execPath: process.execPath,
  isNode: process.versions['electron'] === undefined,
});

/**
 * Finds a package manager outside of a project, as an absolute path: in the folders of `PATH`, then next to this Node. On
 * Windows, a shell would look in the current folder first, and a project can put a program of that name into `PATH` through its
 * own `node_modules/.bin` or one in a parent folder.
 * @param project the folder whose programs are never used
 * @returns `undefined` if the machine has no such program
 */
export function findProgram(
  name: string,
  project: string,
  search: Partial<ProgramSearch> = {},
): Program | undefined {
  const found = { ...here(), ...search };
  const { PATH, Path } = found.environment;
  const own = realPath(project);
  const mayRun = (path: string) => isFile(path) && !isInside(realPath(path), own);
  for (const folder of [...(PATH ?? Path ?? '').split(delimiter), dirname(found.execPath)]) {
    if (!isAbsolute(folder) || isInside(realPath(folder), own) || isOfPackages(folder)) continue;
    const program = npmScript(name, folder, found, mayRun) ?? inFolder(name, folder, found, mayRun);
    if (program) return program;
  }
  return undefined;
}

/** npm's own script, started by the Node next to it: unlike `npm.cmd`, this needs no shell. */
function npmScript(
  name: string,
  folder: string,
  { platform, execPath, isNode }: ProgramSearch,
  mayRun: (path: string) => boolean,
): Program | undefined {
  if (name !== 'npm') return undefined;
  const script = [join(folder, 'node_modules'), join(folder, '..', 'lib', 'node_modules')]
    .map((library) => join(library, 'npm', 'bin', 'npm-cli.js'))
    .find(mayRun);
  const beside = join(folder, platform === 'win32' ? 'node.exe' : 'node');
  const node = mayRun(beside) ? beside : isNode ? execPath : undefined;
  if (script === undefined || node === undefined) return undefined;
  return (args) => ({ command: node, args: [script, ...args], windowsVerbatimArguments: false });
}

function inFolder(
  name: string,
  folder: string,
  { platform, environment }: ProgramSearch,
  mayRun: (path: string) => boolean,
): Program | undefined {
  if (platform !== 'win32') {
    const path = join(folder, name);
    return mayRun(path) && isExecutable(path) ? plainly(path) : undefined;
  }
  const program = join(folder, `${name}.exe`);
  if (mayRun(program)) return plainly(program);
  const script = join(folder, `${name}.cmd`);
  if (!mayRun(script)) return undefined;
  const shell = join(environment['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe');
  // Quoted as Node itself quotes for a shell: cmd.exe removes the outer quotes, so a path may contain spaces.
  return (args) => ({
    command: shell,
    args: ['/d', '/s', '/c', `"${[script, ...args].map(quoted).join(' ')}"`],
    windowsVerbatimArguments: true,
  });
}

function plainly(command: string): Program {
  return (args) => ({ command, args, windowsVerbatimArguments: false });
}

/** Characters that cmd.exe interprets inside quotes. Package names and versions contain none of them. */
function quoted(arg: string): string {
  if (/["%\r\n]/.test(arg)) throw new RangeError(`${JSON.stringify(arg)} is not safe for cmd.exe`);
  return `"${arg}"`;
}

/** Returns whether a folder is `node_modules/.bin`, the programs of a project's packages. */
function isOfPackages(folder: string): boolean {
  return join(folder, sep).endsWith(join(sep, 'node_modules', '.bin', sep));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
