import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isProcessAlive } from '../../../machine/index.ts';
import { StoreError } from '../storeError.ts';

/**
 * Which process has a database file. SQLite's lock here is a folder beside the file, which stays
 * when the process is killed; this says whose it is, so that the next start can take it over.
 */
export interface FileOwner {
  /** Whether the last owner ended without letting go. */
  readonly tookOver: boolean;
  release(): void;
}

/** Attempts, where several processes find the same dead owner at once. */
const ATTEMPTS = 5;

/** When the process began, in ticks since boot, which tells it from a later one with its number. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything, so counting starts behind it: the 22nd field.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function readOwner(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function lives(owner: string): boolean {
  const [pid = '', start = ''] = owner.split(' ');
  if (!/^\d{1,10}$/.test(pid)) return false;
  if (!isProcessAlive(Number(pid), process.kill)) return false;
  return start === '' || startOf(Number(pid)) === start;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Puts the mark where nobody's is; false when somebody was faster. */
function place(draft: string, path: string, mine: string): boolean {
  try {
    // A link appears with its content; a file that is written is empty for a moment.
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error;
  }
  // File systems without links.
  try {
    writeFileSync(path, mine, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes a database file for this process.
 * @throws StoreError `in_use` when a process that runs has it; errors of the file system
 */
export function ownFile(file: string): FileOwner {
  const path = `${file}.owner`;
  const mine = `${process.pid} ${startOf(process.pid)} ${randomBytes(6).toString('hex')}`;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  let tookOver = false;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    for (let attempt = 1; ; attempt++) {
      const owner = readOwner(path);
      if (owner !== undefined) {
        if (lives(owner) || attempt > ATTEMPTS) {
          throw new StoreError('in_use', `process ${owner.split(' ')[0]} has the file open`);
        }
        // Of several that find the dead owner, one moves its mark away; the others look again.
        const aside = `${draft}.dead`;
        try {
          renameSync(path, aside);
        } catch {
          continue;
        }
        const moved = readOwner(aside);
        if (moved !== owner && moved !== undefined) linkSync(aside, path);
        rmSync(aside, { force: true });
        tookOver = true;
        continue;
      }
      if (place(draft, path, mine)) break;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  rmSync(`${file}.lock`, { recursive: true, force: true });
  return {
    tookOver,
    release() {
      if (readOwner(path) === mine) rmSync(path, { force: true });
    },
  };
}
