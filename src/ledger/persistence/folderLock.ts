import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../../machine/index.ts';
import { PersistenceError } from './persistenceError.ts';

/** Folders that this process holds: its own id in a lock file says nothing about another network in it. */
const held = new Set<string>();

/** Says that a folder belongs to this process, until it is released or the process ends. */
export class FolderLock {
  readonly #path: string;
  readonly #folder: string;

  private constructor(path: string, folder: string) {
    this.#path = path;
    this.#folder = folder;
  }

  /**
   * Takes a folder; it is made when it is not there. The lock of a process that ended without releasing it is taken over.
   * @throws PersistenceError `FOLDER_IN_USE`
   */
  static acquire(folder: string): FolderLock {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const real = realpathSync(folder);
    const path = join(real, 'lock');
    if (held.has(real)) throw inUse(folder, process.pid);
    const mine = `${process.pid} ${startOfProcess(process.pid)}\n`;
    if (!create(path, mine)) {
      heal(path, folder);
      if (!create(path, mine)) throw inUse(folder, undefined);
    }
    held.add(real);
    return new FolderLock(path, real);
  }

  release(): void {
    if (held.delete(this.#folder)) rmSync(this.#path, { force: true });
  }
}

function create(path: string, text: string): boolean {
  try {
    const fd = openSync(path, 'wx', 0o600);
    writeSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that is gone. */
function heal(path: string, folder: string): void {
  const text = readIfThere(path);
  if (text === undefined) return;
  if (isHeld(text)) throw inUse(folder, Number.parseInt(text, 10));
  // Two that find the same stale lock must not both remove it, or the second would remove the first one's new lock:
  // only one of them can move it away, and whoever moved a fresh one puts it back.
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readIfThere(aside) !== text) {
    try {
      linkSync(aside, path);
    } finally {
      rmSync(aside, { force: true });
    }
    throw inUse(folder, undefined);
  }
  rmSync(aside, { force: true });
}

function isHeld(text: string): boolean {
  const [pid = '', start = ''] = text.trim().split(' ');
  const id = Number.parseInt(pid, 10);
  if (!(id > 0) || !isProcessAlive(id, (to, signal) => process.kill(to, signal))) return false;
  // This process does not hold it (see `held`), so an earlier one had the same id.
  if (id === process.pid) return false;
  return start === '' || startOfProcess(id) === start;
}

/** When a process began, where the system tells: ids are used again. */
function startOfProcess(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The 22nd field, counted behind the name, which may hold blanks.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function inUse(folder: string, pid: number | undefined): PersistenceError {
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return new PersistenceError(
    'FOLDER_IN_USE',
    `${folder} is in use by ${who}: stop it, or choose another data folder.`,
  );
}
