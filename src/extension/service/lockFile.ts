import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { FileLock, LockError } from '../../machine/index.ts';

const noteSchema = z.object({
  /** Process id of the service, or of the window while it starts the service. */
  pid: z.int().check(z.positive()),
  /** Port of the facilitator; 0 while the service starts. */
  port: z.int(),
  /** A token that the service repeats in its discovery file, which identifies it as the one that was started. */
  token: z.string(),
  /** Milliseconds since 1970. */
  since: z.number(),
});

/** The service that the windows started. */
export type ServiceNote = z.infer<typeof noteSchema>;

/** Permission to start the service. No other window gets it until this one releases it. */
export interface StartPermit {
  readonly token: string;
  /** Records the service started under this permission, replacing an earlier one. */
  note(service: { readonly pid: number; readonly port: number }): Promise<void>;
  giveUp(): void;
}

/** State shared by all windows, so that one of them starts the service and the last one stops it. */
export interface LockFile {
  read(): Promise<ServiceNote | undefined>;
  /** Acquires the permission to start; `undefined` while another window has it. */
  take(): Promise<StartPermit | undefined>;
  /** Removes the record if it still describes the service with this token. */
  forget(token: string): Promise<void>;
}

export function openLockFile(folder: string): LockFile {
  const path = join(folder, 'service.lock');

  async function read(): Promise<ServiceNote | undefined> {
    try {
      const parsed = z.safeParse(noteSchema, JSON.parse(await readFile(path, 'utf8')));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  async function write(note: ServiceNote): Promise<void> {
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
    await rename(draft, path);
  }

  return {
    read,
    async take() {
      const lock = await FileLock.acquire(join(folder, 'service.starting')).catch(undefinedIfHeld);
      if (lock === undefined) return undefined;
      const token = randomBytes(16).toString('hex');
      const since = Date.now();
      return {
        token,
        note: ({ pid, port }) => write({ pid, port, token, since }),
        giveUp: () => lock.release(),
      };
    },
    async forget(token) {
      if ((await read())?.token === token) await rm(path, { force: true });
    },
  };
}

function undefinedIfHeld(error: unknown): undefined {
  if (error instanceof LockError) return undefined;
  throw error;
}
