import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceFile } from '../../machine/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import type { Lock, LockFile } from './lockFile.ts';
import type { RuntimeChoice } from './nodeRuntime.ts';
import { readRunning } from './readRunning.ts';
import { spawnService } from './spawnService.ts';
import { leasesFolder } from './windowLease.ts';

export interface StartOptions {
  /** Folder that all windows share. */
  readonly sharedFolder: string;
  readonly dataFolder: string;
  readonly bundle: string;
  readonly transport: HttpTransport;
  readonly runtime: () => Promise<RuntimeChoice>;
  readonly logLevel: () => string;
  readonly startWithinMs: number;
}

/** A failure that trying again does not mend. */
export class CannotStart extends Error {}

const FILE = 'service.log';

export function serviceLogFile(sharedFolder: string): string {
  return join(sharedFolder, FILE);
}

/** What became of a start. */
export interface Started {
  readonly service: ServiceFile;
  /** Whether this window started it, or another did. */
  readonly startedHere: boolean;
}

/**
 * Waits until a service answers: the one that runs, the one that another window starts, or one that
 * is started here when this window gets the lock.
 * @param wanted whether the start has not been called off
 * @throws CannotStart when nothing can run it
 */
export async function startOrAttach(
  options: StartOptions,
  lockFile: LockFile,
  wanted: () => boolean,
): Promise<Started> {
  const { dataFolder, transport, startWithinMs } = options;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + startWithinMs;
  let lock: Lock | undefined;
  let child: { ended: string | undefined } | undefined;
  for (;;) {
    if (!wanted()) throw new Error('The start was called off.');
    const service = await readRunning(dataFolder, transport);
    if (service) {
      if (lock) {
        const port = Number(new URL(service.facilitatorUrl ?? '').port);
        await lockFile.note({ ...lock, pid: service.pid, port });
      }
      return { service, startedHere: lock !== undefined };
    }
    const late = Date.now() > deadline;
    if (child?.ended !== undefined || late) {
      if (lock) await lockFile.release(lock.token);
      const seconds = startWithinMs / 1000;
      throw new Error(child?.ended ?? `The service did not answer within ${seconds} seconds.`);
    }
    if (lock === undefined) {
      lock = await lockFile.take();
      if (lock) child = await spawnUnder(options, lockFile, lock);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts the service under a lock that this window holds. @returns what it said when it ended */
async function spawnUnder(
  options: StartOptions,
  lockFile: LockFile,
  { token }: Lock,
): Promise<{ ended: string | undefined }> {
  const { sharedFolder, dataFolder, bundle } = options;
  const choice = await options.runtime();
  if (!choice.ok) {
    await lockFile.release(token);
    throw new CannotStart(choice.message);
  }
  const outcome: { ended: string | undefined } = { ended: undefined };
  const child = spawnService({
    runtime: choice.runtime,
    bundle,
    dataFolder,
    leases: leasesFolder(sharedFolder),
    token,
    logFile: serviceLogFile(sharedFolder),
    logLevel: options.logLevel(),
  });
  child.once('error', (error) => {
    outcome.ended = `The service could not be started: ${error.message}`;
  });
  child.once('exit', (code) => {
    void lastWords(sharedFolder).then((words) => {
      outcome.ended = `The service ended with ${code ?? 'a signal'}${words === '' ? '.' : `: ${words}`}`;
    });
  });
  return outcome;
}

/** What a service said of its end: the last line that is no place in its code. */
async function lastWords(sharedFolder: string): Promise<string> {
  const text = await readFile(serviceLogFile(sharedFolder), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => !/^\s*(at |$)/.test(line));
  return lines.at(-1)?.trim().slice(0, 300) ?? '';
}
