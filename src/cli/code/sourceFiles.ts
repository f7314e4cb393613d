import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError } from '../cliError.ts';

/** The largest file that is read as source. Larger files are generated bundles, which have no routes to sell. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 20_000;
const DEEPEST = 24;

/** Folders with dependencies or build output. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage']);
/** More such folders, unless they are part of a URL in a routes folder: `app/api/public/route.ts`. */
const PASSED_OVER_ELSEWHERE = new Set(['build', 'out', 'vendor', 'target', 'public']);
const ROUTE_FOLDERS = new Set(['app', 'pages', 'api', 'routes', 'routers', 'controllers']);

/** Hidden folders contain files of tools, except for the one that is part of URLs (RFC 8615). */
function isPassedOver(name: string, amongRoutes: boolean): boolean {
  return (
    PASSED_OVER.has(name) ||
    (PASSED_OVER_ELSEWHERE.has(name) && !amongRoutes) ||
    (name.startsWith('.') && name !== '.well-known')
  );
}

/**
 * Reads a file of the user's project. Only a plain file of moderate size is read, since a pipe would block forever and a device
 * may be endless.
 * @throws CliError with the reason
 */
export function readSource(path: string, named: string): string {
  let file: number;
  try {
    // Non-blocking, because opening a pipe would wait for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    throw new CliError('usage', `Cannot read ${named}. Check the path.`);
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new CliError('usage', `${named} is not a plain file.`);
    if (status.size > MAX_BYTES) {
      throw new CliError('usage', `${named} is larger than 2 MB, so it was not read.`);
    }
    const bytes = Buffer.alloc(status.size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    const text = bytes.toString('utf8', 0, filled);
    // Bytes that are not UTF-8 would change when written back.
    if (!Buffer.from(text, 'utf8').equals(bytes.subarray(0, filled))) {
      throw new CliError('usage', `${named} is not UTF-8 text, so it was not read.`);
    }
    return text;
  } finally {
    closeSync(file);
  }
}

/** Reads a file that may be missing or of another kind. */
export function readSourceIfAny(path: string): string | undefined {
  try {
    return readSource(path, path);
  } catch {
    return undefined;
  }
}

/**
 * Replaces a file atomically and keeps its mode. If it is a link, replaces the linked file. A file with several names is written
 * in place, since a new one would have only this name.
 */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  const file = openSync(target, 'r');
  const { mode, nlink } = fstatSync(file);
  closeSync(file);
  if (nlink > 1) {
    writeFileSync(target, text);
    return;
  }
  const draft = join(dirname(target), `.svc-x402-${process.pid}.tmp`);
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The scripts in a folder, and what the search left out. */
interface Scripts {
  readonly paths: readonly string[];
  readonly unread: readonly Unread[];
}

/** A file or folder that was not read, and why. */
export interface Unread {
  readonly path: string;
  readonly reason: string;
}

/** Reads a file, or returns why that is not possible. */
export function readSourceOrReason(path: string): { readonly text: string } | Unread {
  try {
    return { text: readSource(path, 'It') };
  } catch (error) {
    return { path, reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Returns the scripts in a folder, without others' packages and build output; does not follow links.
 * @throws CliError if the folder cannot be read
 */
export function scriptsIn(folder: string): Scripts {
  const found: string[] = [];
  const unread: Unread[] = [];
  const look = (at: string, depth: number, inRoutes: boolean): void => {
    if (depth > DEEPEST || found.length >= MAX_FILES) {
      const limit = depth > DEEPEST ? `${DEEPEST} folders deep` : `${MAX_FILES} files`;
      unread.push({ path: at, reason: `The search ends at ${limit}.` });
      return;
    }
    let entries: ReturnType<typeof entriesOf>;
    try {
      entries = entriesOf(at);
    } catch {
      if (at !== folder) {
        unread.push({ path: at, reason: 'Cannot read the folder.' });
        return;
      }
      throw new CliError('usage', `Cannot read the folder ${folder}. Check its permissions.`);
    }
    // A folder of that name with a manifest is a package with its build output.
    const amongRoutes = inRoutes && !entries.some(({ name }) => name === 'package.json');
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (isPassedOver(entry.name, amongRoutes)) continue;
        look(path, depth + 1, amongRoutes || ROUTE_FOLDERS.has(entry.name));
      } else if (!/\.[cm]?[jt]sx?$/.test(entry.name)) {
      } else if (entry.isSymbolicLink()) {
        unread.push({ path, reason: 'It is a link, and links are not followed.' });
      } else if (entry.isFile()) found.push(path);
    }
  };
  look(folder, 0, ROUTE_FOLDERS.has(basename(resolve(folder))));
  return { paths: found, unread };
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
