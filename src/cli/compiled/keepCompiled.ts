import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../../machine/index.ts';

/** Write permission for the group and for others. */
const OTHERS_WRITE = 0o022;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder for compiled code, and creates it. Its contents are executed, so nobody else may be able to write to it.
 * Node's own choice is the machine's folder for temporary files, where another user may have created it first.
 * @returns undefined without such a folder, or if the user turned the cache off (`NODE_DISABLE_COMPILE_CACHE`)
 */
export function cacheFolder(
  environment: Environment = process.env,
  home = homedir(),
): string | undefined {
  if (environment['NODE_DISABLE_COMPILE_CACHE']) return undefined;
  const base =
    process.platform === 'win32'
      ? environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
      : environment['XDG_CACHE_HOME'] || join(home, '.cache');
  // Without a home folder, the path would be relative to the current folder.
  if (!isAbsolute(base)) return undefined;
  const folder = join(base, 'svc-x402', 'compiled');
  try {
    makeFolder(folder);
    return isOurs(folder) ? folder : undefined;
  } catch {
    // The home folder is missing or read-only. Everything works without the cache.
    return undefined;
  }
}

function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  // Windows has no such owner, but there the folder is in the user's own profile.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & OTHERS_WRITE) === 0;
}

/** Commands that a person waits for. Each has its own compiled code, because commands run different functions. */
const KEPT: ReadonlySet<string> = new Set(['dev', 'ledger', 'facilitator', 'mcp']);

/**
 * Caches the compiled code of our bundles for the next start, where compiling takes longer than anything else. Node's own cache
 * (`module.enableCompileCache`, from 22.1 on) omits most functions that a start runs, and saves half as much time.
 * @param command the command to run; commands that do not serve share one cache
 */
export async function keepCompiled(command: string | undefined): Promise<void> {
  const folder = cacheFolder();
  if (folder === undefined) return;
  const use = command !== undefined && KEPT.has(command) ? command : '';
  (await import('./loadKept.ts')).loadKept(folder, use);
}
