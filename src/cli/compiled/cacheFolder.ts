import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../../machine/index.ts';

/** Write permission of the group and of everybody. */
const OTHERS_WRITE = 0o022;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder for compiled code, which it creates. What is in there is run, so nobody else may be able to write to it:
 * Node's own choice is the machine's folder for temporary files, where another user may have been first.
 * @returns undefined if there is no such folder, or if the user turned the cache off (`NODE_DISABLE_COMPILE_CACHE`)
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
  // Without a home folder it would be in whatever folder this runs in.
  if (!isAbsolute(base)) return undefined;
  const folder = join(base, 'svc-x402', 'compiled');
  try {
    makeFolder(folder);
    return isOurs(folder) ? folder : undefined;
  } catch {
    // A home that is missing or read-only: everything works without.
    return undefined;
  }
}

function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  // Windows has no such owner; the folder is in the user's own profile there.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & OTHERS_WRITE) === 0;
}
