import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive, type ServiceFile } from '../../machine/index.ts';
import type { HttpTransport } from '../../sdk/exact/httpTransport.ts';
import { createBackOff } from './backOff.ts';
import { type Lock, openLockFile } from './lockFile.ts';
import type { RuntimeChoice } from './nodeRuntime.ts';
import { readRunning } from './readRunning.ts';
import type { ServiceState } from './serviceState.ts';
import { spawnService } from './spawnService.ts';
import { leasesFolder, leaseWindow, type WindowLease } from './windowLease.ts';

export interface SupervisorOptions {
  /** Folder that all windows share. */
  readonly sharedFolder: string;
  readonly dataFolder: string;
  readonly bundle: string;
  readonly transport: HttpTransport;
  readonly runtime: () => Promise<RuntimeChoice>;
  readonly logLevel: () => string;
  readonly onState: (state: ServiceState) => void;
  /** Milliseconds; shorter in tests. */
  readonly watchEveryMs?: number;
  readonly startWithinMs?: number;
  readonly firstRetryMs?: number;
}

/** Keeps one local service running for all windows of the editor. */
export interface Supervisor {
  readonly state: ServiceState;
  /** Starts the service or attaches to the one that runs; resolves when it answers. */
  start(): Promise<ServiceFile>;
  /** Stops the service for all windows. */
  stop(): Promise<void>;
  /** This window closes: the service is stopped when no other window uses it. */
  dispose(): Promise<void>;
}

/** A failure that trying again does not mend. */
export class CannotStart extends Error {}

const FILE = 'service.log';

export function serviceLogFile(sharedFolder: string): string {
  return join(sharedFolder, FILE);
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { sharedFolder, dataFolder, transport, onState } = options;
  const { watchEveryMs = 1_000, startWithinMs = 30_000, firstRetryMs = 500 } = options;
  const lockFile = openLockFile(sharedFolder);
  const backOff = createBackOff(firstRetryMs, 30_000);
  let state: ServiceState = { kind: 'stopped' };
  let lease: WindowLease | undefined;
  let starting: Promise<ServiceFile> | undefined;
  let watch: NodeJS.Timeout | undefined;
  /** Counts stops: what was begun before the last one is of no interest any more. */
  let epoch = 0;

  function show(next: ServiceState): void {
    state = next;
    onState(next);
  }

  async function startOnce(begun: number): Promise<ServiceFile> {
    lease ??= leaseWindow(sharedFolder);
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
    const deadline = Date.now() + startWithinMs;
    let startedHere = false;
    let lock: Lock | undefined;
    let ended: string | undefined;
    for (;;) {
      if (begun !== epoch) throw new Error('The start was called off.');
      const service = await readRunning(dataFolder, transport);
      if (service) {
        if (lock) {
          const port = Number(new URL(service.facilitatorUrl ?? '').port);
          await lockFile.note({ ...lock, pid: service.pid, port });
        }
        running(service, startedHere);
        return service;
      }
      if (ended !== undefined) {
        if (lock) await lockFile.release(lock.token);
        throw new Error(ended);
      }
      if (!startedHere) {
        lock = await lockFile.take();
        if (lock) {
          startedHere = true;
          const { token } = lock;
          const choice = await options.runtime();
          if (!choice.ok) {
            await lockFile.release(token);
            throw new CannotStart(choice.message);
          }
          const child = spawnService({
            runtime: choice.runtime,
            bundle: options.bundle,
            dataFolder,
            leases: leasesFolder(sharedFolder),
            token,
            logFile: serviceLogFile(sharedFolder),
            logLevel: options.logLevel(),
          });
          child.once('error', (error) => {
            ended = `The service could not be started: ${error.message}`;
          });
          child.once('exit', (code) => {
            void lastWords(sharedFolder).then((words) => {
              ended = `The service ended with ${code ?? 'a signal'}${words === '' ? '.' : `: ${words}`}`;
            });
          });
        }
      }
      if (Date.now() > deadline) {
        if (lock) await lockFile.release(lock.token);
        throw new Error(`The service did not answer within ${startWithinMs / 1000} seconds.`);
      }
      await sleep(50);
    }
  }

  function running(service: ServiceFile, startedHere: boolean): void {
    show({ kind: 'running', service, startedHere });
    clearInterval(watch);
    const since = Date.now();
    watch = setInterval(() => {
      if (Date.now() - since > 30_000) backOff.succeeded();
      if (isProcessAlive(service.pid, process.kill)) return;
      clearInterval(watch);
      retry('The service ended unexpectedly.');
    }, watchEveryMs);
    watch.unref();
  }

  function retry(message: string): void {
    const begun = epoch;
    const retryInMs = backOff.next();
    show({ kind: 'waiting', message, retryInMs });
    setTimeout(() => {
      if (begun === epoch && state.kind === 'waiting') start().catch(() => undefined);
    }, retryInMs).unref();
  }

  function start(): Promise<ServiceFile> {
    if (state.kind === 'running') return Promise.resolve(state.service);
    if (starting) return starting;
    const begun = epoch;
    show({ kind: 'starting' });
    const attempt = startOnce(begun);
    starting = attempt;
    attempt
      .catch((error: Error) => {
        if (begun !== epoch) return;
        if (error instanceof CannotStart) show({ kind: 'failed', message: error.message });
        else retry(error.message);
      })
      .finally(() => {
        if (starting === attempt) starting = undefined;
      });
    return attempt;
  }

  function letGo(): void {
    epoch += 1;
    starting = undefined;
    clearInterval(watch);
  }

  /** Ends the service when it is the one that windows started; one that a person started stays. */
  async function endService(): Promise<void> {
    const lock = await lockFile.read();
    const service = await readRunning(dataFolder, transport);
    if (!lock) return;
    if (service && service.token === lock.token) {
      process.kill(service.pid, 'SIGTERM');
      for (let tries = 0; tries < 100 && isProcessAlive(service.pid, process.kill); tries += 1) {
        await sleep(50);
      }
    }
    await lockFile.release(lock.token);
  }

  return {
    get state() {
      return state;
    },
    start,
    async stop() {
      letGo();
      await endService();
      show({ kind: 'stopped' });
    },
    async dispose() {
      letGo();
      if (!lease) return;
      const last = !lease.othersRemain();
      lease.release();
      lease = undefined;
      if (last) await endService();
    },
  };
}

/** What a service said of its end: the last line that is no place in its code. */
async function lastWords(sharedFolder: string): Promise<string> {
  const text = await readFile(serviceLogFile(sharedFolder), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => !/^\s*(at |$)/.test(line));
  return lines.at(-1)?.trim().slice(0, 300) ?? '';
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
