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

/** The largest file that is read as source. Generated bundles are larger, and hold no routes to sell. */
const MOST_BYTES = 2_000_000;
const MOST_FILES = 20_000;
const DEEPEST = 24;

/** Folders that hold others' packages or build output. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage']);
/** The same, unless they are a part of URLs in a folder of routes: `app/api/public/route.ts`. */
const PASSED_OVER_ELSEWHERE = new Set(['build', 'out', 'vendor', 'target', 'public']);
const ROUTE_FOLDERS = new Set(['app', 'pages', 'api', 'routes', 'routers', 'controllers']);

/** Hidden folders hold tools' files, but for the one that is part of URLs (RFC 8615). */
function isPassedOver(name: string, amongRoutes: boolean): boolean {
  return (
    PASSED_OVER.has(name) ||
    (PASSED_OVER_ELSEWHERE.has(name) && !amongRoutes) ||
    (name.startsWith('.') && name !== '.well-known')
  );
}

/**
 * Reads a file of the user's project. Only a plain file of moderate size is read: a pipe would wait
 * for ever, a device has no end.
 * @throws CliError with the reason
 */
export function readSource(path: string, named: string): string {
  let file: number;
  try {
    // Not blocking: opening a pipe would wait for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    throw new CliError('usage', `Cannot read ${named}. Check the path.`);
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new CliError('usage', `${named} is not a plain file.`);
    if (status.size > MOST_BYTES) {
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
    // Written back, bytes that are not UTF-8 would change.
    if (!Buffer.from(text, 'utf8').equals(bytes.subarray(0, filled))) {
      throw new CliError('usage', `${named} is not UTF-8 text, so it was not read.`);
    }
    return text;
  } finally {
    closeSync(file);
  }
}

/** The same for files that may be missing or of another kind. */
export function readSourceIfAny(path: string): string | undefined {
  try {
    return readSource(path, path);
  } catch {
    return undefined;
  }
}

/** Replaces a file whole or not at all, with its mode; a link stays one and its file is replaced. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  const file = openSync(target, 'r');
  const { mode } = fstatSync(file);
  closeSync(file);
  const draft = join(dirname(target), `.svc-x402-${process.pid}.tmp`);
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Returns the scripts in a folder, without others' packages and build output; does not follow links.
 * @throws CliError if the folder cannot be read; unreadable folders inside it are skipped
 */
export function scriptsIn(folder: string): readonly string[] {
  const found: string[] = [];
  const look = (at: string, depth: number, inRoutes: boolean): void => {
    if (depth > DEEPEST || found.length >= MOST_FILES) return;
    let entries: ReturnType<typeof entriesOf>;
    try {
      entries = entriesOf(at);
    } catch {
      if (at !== folder) return;
      throw new CliError('usage', `Cannot read the folder ${folder}. Check its permissions.`);
    }
    // A package of that name has its build output beside its manifest.
    const amongRoutes = inRoutes && !entries.some(({ name }) => name === 'package.json');
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (isPassedOver(entry.name, amongRoutes)) continue;
        look(path, depth + 1, amongRoutes || ROUTE_FOLDERS.has(entry.name));
      } else if (entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name)) found.push(path);
    }
  };
  look(folder, 0, ROUTE_FOLDERS.has(basename(resolve(folder))));
  return found;
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
