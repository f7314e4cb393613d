import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isProcessAlive } from '../../machine/index.ts';

const lockSchema = z.object({
  /** The window that starts the service; once it runs, the service. */
  pid: z.int().check(z.positive()),
  /** Port of the facilitator; 0 while the service starts. */
  port: z.int(),
  /** The service shows the same token in its discovery file: then it is the one that was started. */
  token: z.string(),
  /** Milliseconds since 1970. */
  since: z.number(),
});

export type Lock = z.infer<typeof lockSchema>;

/** A start that takes longer than this was abandoned. */
const LONGEST_START_MS = 60_000;

/** The lock that windows share, so that one of them starts the service. */
export interface LockFile {
  read(): Promise<Lock | undefined>;
  /** Takes the lock, healing a stale one; `undefined` while another window holds it. */
  take(): Promise<Lock | undefined>;
  /** Notes the service that was started under this lock. */
  note(lock: Lock): Promise<void>;
  /** Gives the lock up, if it is still this one. */
  release(token: string): Promise<void>;
}

/** @param now milliseconds since 1970 */
export function openLockFile(folder: string, now: () => number = Date.now): LockFile {
  const path = join(folder, 'service.lock');

  async function read(): Promise<Lock | undefined> {
    try {
      const parsed = z.safeParse(lockSchema, JSON.parse(await readFile(path, 'utf8')));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  function isStale(lock: Lock | undefined, since: number): boolean {
    if (lock === undefined) return now() - since > 2_000;
    if (!isProcessAlive(lock.pid, process.kill)) return true;
    return lock.port === 0 && now() - lock.since > LONGEST_START_MS;
  }

  async function create(): Promise<Lock | undefined> {
    const lock = {
      pid: process.pid,
      port: 0,
      token: randomBytes(16).toString('hex'),
      since: now(),
    };
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(JSON.stringify(lock));
      await file.close();
      return lock;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
      throw error;
    }
  }

  return {
    read,
    async take() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const mine = await create();
      if (mine !== undefined) return mine;
      const held = await read();
      const since = held?.since ?? (await modifiedAt(path)) ?? now();
      if (!isStale(held, since)) return undefined;
      // Moved away before it is removed: of two windows that find it stale, one moves it.
      const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
      try {
        await rename(path, aside);
      } catch {
        return undefined;
      }
      await rm(aside, { force: true });
      return create();
    },
    async note(lock) {
      const draft = `${path}.${process.pid}`;
      await writeFile(draft, JSON.stringify(lock), { mode: 0o600 });
      await rename(draft, path);
    },
    async release(token) {
      if ((await read())?.token === token) await rm(path, { force: true });
    },
  };
}

async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    const file = await open(path, 'r');
    const { mtimeMs } = await file.stat();
    await file.close();
    return mtimeMs;
  } catch {
    return undefined;
  }
}
