import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../makeFolder.ts';
import { isProcessAlive } from '../processAlive.ts';
import { LeaseClock } from './leaseClock.ts';
import { LockError } from './lockError.ts';
import { describeHolder, holderState, type LockHolder, thisHolder } from './lockHolder.ts';
import {
  isCode,
  type LockMark,
  markText,
  readMark,
  readMarks,
  removeFile,
  removeIfEmpty,
  writeBeat,
} from './lockMark.ts';

/** Milliseconds. A dead holder's lock is adopted after `observe + settle`, which must be less than 5 seconds. */
const TIMES = {
  /** Between two heartbeats. */
  beat: 500,
  /** A holder trusts its last heartbeat for this long, then checks whether the lock is still its own. */
  lease: 1_200,
  /** A holder whose process cannot be checked counts as dead when its mark has not changed for this long. */
  observe: 3_200,
  /** Between two looks at a mark. */
  look: 100,
  /** Wait after adopting a silent holder's lock: that holder stops trusting its last heartbeat before anything is written. */
  settle: 1_300,
} as const;

/** Number of attempts, in case several processes find the same dead holder at once. */
const ATTEMPTS = 50;
const RETRY_MS = 5;
const LEAST_LOOKS = 16;
/** An older draft belongs to a process that ended while taking the lock. */
const ABANDONED_DRAFT_MS = 60_000;

/**
 * A lock that one process holds, across processes, PID namespaces, containers that share a volume, and operating systems
 * (decision: "One lock").
 *
 * The lock is a folder with one file in it, the mark, whose name is used only once. Renaming a folder onto another fails unless
 * the target is empty or missing, so taking the lock is one atomic step. Removing a dead holder's mark by its name can never
 * remove a newer one. The holder changes its mark twice a second.
 */
export class FileLock {
  readonly #folder: string;
  readonly #mark: string;
  readonly #holder: LockHolder;
  /** Measures the time since the last written heartbeat began. */
  #clock = new LeaseClock();
  readonly #timer: NodeJS.Timeout;
  #beat = 1;
  #lost = false;
  #released = false;

  private constructor(folder: string, mark: string, holder: LockHolder) {
    this.#folder = folder;
    this.#mark = mark;
    this.#holder = holder;
    this.#timer = setInterval(() => this.#renew(), TIMES.beat);
    // A lock must not keep the process from ending.
    this.#timer.unref();
  }

  /**
   * Takes a lock, adopting it if its holder is dead: at once if this kernel can prove that, otherwise after more than 3 seconds
   * of silence.
   * @param folder path of the lock; its parent is created if it is missing
   * @throws LockError `held`; errors of the file system
   */
  static async acquire(folder: string): Promise<FileLock> {
    makeFolder(dirname(folder));
    removeFileOfOlderVersion(folder);
    const holder = thisHolder();
    const name = randomBytes(12).toString('hex');
    const draft = `${folder}.new-${name}`;
    mkdirSync(draft, { mode: 0o700 });
    let bySilence = false;
    try {
      writeFileSync(join(draft, name), markText(holder, 0), { mode: 0o600 });
      for (let attempt = 1; ; attempt++) {
        for (const mark of readMarks(folder)) {
          bySilence = (await removeDead(folder, mark)) || bySilence;
        }
        if (place(draft, folder)) break;
        if (attempt >= ATTEMPTS) throw heldBy(folder, readMarks(folder)[0]);
        await pause(RETRY_MS);
      }
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
    const lock = new FileLock(folder, join(folder, name), holder);
    removeAbandonedDrafts(folder);
    if (bySilence) await pause(TIMES.settle);
    lock.assertHeld();
    return lock;
  }

  /**
   * The pid of the process that holds a lock, if this kernel proves that it is the same process that took it. Undefined where
   * nobody holds it, and on systems that prove nothing.
   */
  static provenHolder(folder: string): number | undefined {
    const holder = readMarks(folder)[0]?.holder;
    return holder !== undefined && holderState(holder) === 'alive' ? holder.pid : undefined;
  }

  /**
   * Whether this process still holds the lock. Costs two clock readings while heartbeats are on time; after a pause it
   * reads the mark.
   */
  get held(): boolean {
    if (this.#lost || this.#released) return false;
    // Tries again if this process was stopped in the middle of a heartbeat.
    for (let tries = 0; tries < 3 && this.#clock.elapsed() > TIMES.lease; tries += 1) {
      this.#renew();
      if (this.#lost) return false;
    }
    return true;
  }

  /**
   * Call this before each write to what the lock protects.
   * @throws LockError `lost` when another process adopted the lock
   */
  assertHeld(): void {
    if (!this.held) throw lostTo(this.#folder, readMarks(this.#folder)[0]);
  }

  /** Releases the lock. A lock that another process has adopted is left unchanged. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    clearInterval(this.#timer);
    removeFile(this.#mark);
    removeIfEmpty(this.#folder);
  }

  #renew(): void {
    if (this.#lost || this.#released) return;
    const clock = new LeaseClock();
    try {
      if (writeBeat(this.#mark, this.#holder, this.#beat++)) {
        this.#clock = clock;
        return;
      }
    } catch {
      // The disk is full or briefly gone: as long as the mark exists, each use reads it again.
      if (readMark(this.#mark) !== undefined) return;
    }
    this.#lost = true;
    clearInterval(this.#timer);
  }
}

/** Moves a draft into place if nobody holds the lock. False if another process was faster or holds the lock. */
function place(draft: string, folder: string): boolean {
  // Windows does not rename a folder onto an empty one.
  removeIfEmpty(folder);
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'EACCES')) return false;
    throw error;
  }
}

/**
 * Removes the mark of a dead holder.
 * @returns whether only its silence shows that it is dead
 * @throws LockError `held` if it is alive
 */
async function removeDead(folder: string, mark: LockMark): Promise<boolean> {
  const known = mark.holder === undefined ? 'unknown' : holderState(mark.holder);
  if (known === 'alive') throw heldBy(folder, mark);
  const seen = known === 'dead' ? 'gone' : await watch(mark);
  if (seen === 'beats') throw heldBy(folder, mark);
  removeFile(mark.path);
  return seen === 'silent';
}

/** Waits for a heartbeat. A mark that disappears was released, or adopted by another process. */
async function watch(mark: LockMark): Promise<'beats' | 'gone' | 'silent'> {
  const watched = new LeaseClock();
  // Counts the checks too: a watcher that was stopped itself saw nothing during that time.
  for (let looks = 0; looks < LEAST_LOOKS || watched.elapsed() < TIMES.observe; looks += 1) {
    await pause(TIMES.look);
    const now = readMark(mark.path);
    if (now === undefined) return 'gone';
    if (now.text !== mark.text) return 'beats';
  }
  return 'silent';
}

/**
 * Versions before 0.4 write a file at this path instead: pid, and start time if the system reports it.
 * @throws LockError `held` while that process runs
 */
function removeFileOfOlderVersion(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return;
  const [pid = '', start = ''] = (readMark(path)?.text ?? '').trim().split(' ');
  const id = /^\d{1,10}$/.test(pid) ? Number(pid) : 0;
  if (id > 0 && id !== process.pid && isProcessAlive(id, process.kill)) {
    const mine = thisHolder();
    const holder = { ...mine, pid: id, start: start === '' ? mine.start : start };
    if (start === '' || holderState(holder) !== 'dead') {
      throw new LockError(
        'held',
        `process ${pid} holds ${path}. If that is not a Svc x402 of an earlier version, delete the file.`,
      );
    }
  }
  removeFile(path);
}

function removeAbandonedDrafts(folder: string): void {
  const prefix = `${basename(folder)}.new-`;
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(prefix)) continue;
    const path = join(dirname(folder), name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > ABANDONED_DRAFT_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function heldBy(folder: string, mark: LockMark | undefined): LockError {
  return new LockError(
    'held',
    `${describeHolder(mark?.holder)} holds ${dirname(folder)}. Stop it, or choose another data folder with --data-dir.`,
  );
}

function lostTo(folder: string, mark: LockMark | undefined): LockError {
  return new LockError(
    'lost',
    `This process was stopped for too long, and ${describeHolder(mark?.holder)} adopted ${dirname(folder)}. Nothing more is written here.`,
  );
}
