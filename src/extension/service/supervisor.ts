import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { FileLock, isProcessAlive, type ServiceFile } from '../../machine/index.ts';
import { t } from '../words/index.ts';
import { type BackOff, createBackOff } from './backOff.ts';
import { endProcess, PATIENCE_MS } from './endProcess.ts';
import { type LockFile, openLockFile } from './lockFile.ts';
import { isHealthy, readRunning, readServiceFile } from './readRunning.ts';
import { type ServiceState, serviceOf } from './serviceState.ts';
import { CannotStart, isRunning, type StartOptions, startOrAttach } from './startOrAttach.ts';
import { leaseWindow, type WindowLease } from './windowLease.ts';

export interface SupervisorOptions extends Omit<StartOptions, 'startWithinMs' | 'endWithinMs'> {
  readonly onState: (state: ServiceState) => void;
  /** Milliseconds; shorter in tests. */
  readonly watchEveryMs?: number;
  /** Milliseconds between two questions whether it answers. */
  readonly askEveryMs?: number;
  /** Milliseconds that an answer may take. */
  readonly answerWithinMs?: number;
  readonly startWithinMs?: number;
  readonly endWithinMs?: number;
  readonly firstRetryMs?: number;
}

/** Keeps one local service running for all windows of the editor. */
export interface Supervisor {
  readonly state: ServiceState;
  /** Starts the service or attaches to the running one; resolves when it responds. */
  start(): Promise<ServiceFile>;
  /** Stops the service for all windows. */
  stop(): Promise<void>;
  /** Called when this window closes: stops the service if no other window uses it. */
  dispose(): Promise<void>;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new LocalSupervisor(options);
}

/** Only after this many unanswered questions is a service shown as not responding: a busy machine delays one answer. */
const UNANSWERED_MAX = 2;

/** The service's process exists and does not answer, so nothing can be started beside it. */
export class ServiceUnresponsive extends Error {
  constructor() {
    super(t("The local service isn't responding. Restart it."));
    this.name = 'ServiceUnresponsive';
  }
}

/** A service that ran this long is considered working: the next failure is retried immediately. */
const WORKS_AFTER_MS = 30_000;

class LocalSupervisor implements Supervisor {
  readonly #options: SupervisorOptions;
  readonly #lockFile: LockFile;
  readonly #backOff: BackOff;
  #state: ServiceState = { kind: 'stopped' };
  #lease: WindowLease | undefined;
  #starting: Promise<ServiceFile> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  /** Counts stops: work that began before the latest stop is ignored. */
  #epoch = 0;
  /** The starts and stops so far: each waits for the one before, since both processes would want the data folder. */
  #before: Promise<unknown> = Promise.resolve();
  /** The process of the service, if this window started it. */
  #child: ChildProcess | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#lockFile = openLockFile(options.sharedFolder);
    this.#backOff = createBackOff(options.firstRetryMs ?? 500, 30_000);
  }

  get state(): ServiceState {
    return this.#state;
  }

  start(): Promise<ServiceFile> {
    if (this.#state.kind === 'running') return Promise.resolve(this.#state.service);
    // It holds the data folder. Only the user decides to kill it: it may answer again.
    if (this.#state.kind === 'unresponsive') return Promise.reject(new ServiceUnresponsive());
    if (this.#starting) return this.#starting;
    const begun = this.#epoch;
    this.#show({ kind: 'starting' });
    const attempt = this.#inTurn(() => this.#startOnce(begun));
    this.#starting = attempt;
    attempt
      .catch((error: Error) => {
        if (begun !== this.#epoch) return;
        if (error instanceof CannotStart) this.#show({ kind: 'failed', message: error.message });
        else this.#retry(error.message);
      })
      .finally(() => {
        if (this.#starting === attempt) this.#starting = undefined;
      });
    return attempt;
  }

  async stop(): Promise<void> {
    this.#letGo();
    const begun = this.#epoch;
    // From here on, a start does not return the service that ends.
    if (serviceOf(this.#state) !== undefined) this.#state = { kind: 'stopped' };
    await this.#inTurn(() => this.#endService());
    if (begun === this.#epoch && this.#starting === undefined) this.#show({ kind: 'stopped' });
  }

  async dispose(): Promise<void> {
    this.#letGo();
    if (!this.#lease) return;
    const last = !this.#lease.othersRemain();
    this.#lease.release();
    this.#lease = undefined;
    if (last) await this.#inTurn(() => this.#endService());
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#before.then(step);
    this.#before = result.catch(() => undefined);
    return result;
  }

  #show(next: ServiceState): void {
    this.#state = next;
    this.#options.onState(next);
  }

  async #startOnce(begun: number): Promise<ServiceFile> {
    const { sharedFolder, startWithinMs = 30_000, endWithinMs = PATIENCE_MS } = this.#options;
    this.#lease ??= leaseWindow(sharedFolder);
    const { service, child } = await startOrAttach(
      { ...this.#options, startWithinMs, endWithinMs },
      this.#lockFile,
      () => begun === this.#epoch,
    );
    this.#child = child;
    this.#running(service, child !== undefined);
    return service;
  }

  #running(service: ServiceFile, startedHere: boolean): void {
    this.#show({ kind: 'running', service, startedHere });
    clearInterval(this.#watch);
    this.#ask(service, startedHere, 0);
    const since = Date.now();
    this.#watch = setInterval(() => {
      if (Date.now() - since > WORKS_AFTER_MS) this.#backOff.succeeded();
      if (isProcessAlive(service.pid, process.kill)) return;
      clearInterval(this.#watch);
      clearTimeout(this.#asking);
      this.#retry(t('The service exited unexpectedly.'));
    }, this.#options.watchEveryMs ?? 1_000);
    this.#watch.unref();
  }

  /**
   * Asks the service again and again whether it is there: a process that exists might hang.
   * @param unanswered how many questions it has left unanswered in a row
   */
  #ask(service: ServiceFile, startedHere: boolean, unanswered: number): void {
    const { askEveryMs = 3_000, answerWithinMs = 2_000, transport } = this.#options;
    const begun = this.#epoch;
    const isCurrent = () => begun === this.#epoch && serviceOf(this.#state) === service;
    clearTimeout(this.#asking);
    this.#asking = setTimeout(async () => {
      const answered = await isHealthy(
        service.facilitatorUrl ?? '',
        transport,
        AbortSignal.timeout(answerWithinMs),
      );
      if (!isCurrent()) return;
      const next = answered ? 0 : unanswered + 1;
      const kind = next >= UNANSWERED_MAX ? 'unresponsive' : 'running';
      if (kind !== this.#state.kind && (answered || kind === 'unresponsive')) {
        this.#show({ kind, service, startedHere });
      }
      this.#ask(service, startedHere, next);
    }, askEveryMs);
    this.#asking.unref();
  }

  #retry(message: string): void {
    const begun = this.#epoch;
    const retryInMs = this.#backOff.next();
    this.#show({ kind: 'waiting', message, retryInMs });
    setTimeout(() => {
      if (begun === this.#epoch && this.#state.kind === 'waiting') {
        this.start().catch(() => undefined);
      }
    }, retryInMs).unref();
  }

  #letGo(): void {
    this.#epoch += 1;
    this.#starting = undefined;
    clearInterval(this.#watch);
    clearTimeout(this.#asking);
  }

  /** Stops the service if a window started it; one that the user started keeps running. */
  async #endService(): Promise<void> {
    const note = await this.#lockFile.read();
    const service = await readServiceFile(this.#options.dataFolder);
    if (!note) return;
    if (service && service.token === note.token && (await this.#isThere(service))) {
      await endProcess(service.pid, this.#options.endWithinMs ?? PATIENCE_MS);
    }
    await this.#lockFile.forget(note.token);
  }

  /**
   * Whether this pid is the service, and not another process that got its number: it answers, this window has its process, or
   * the lock of its data folder proves it. The last two also find a service that hangs.
   */
  async #isThere({ pid }: ServiceFile): Promise<boolean> {
    const { dataFolder, transport } = this.#options;
    if (this.#child?.pid === pid && isRunning(this.#child)) return true;
    if (FileLock.provenHolder(join(dataFolder, 'ledger', 'lock')) === pid) return true;
    return (await readRunning(dataFolder, transport))?.pid === pid;
  }
}
