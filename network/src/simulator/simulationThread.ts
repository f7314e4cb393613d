import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { startThread, type ThreadProgram } from '../../../common/machine/startThread.ts';
import type { LedgerRun } from './ledgerRun.ts';
import type { Reading, RenderedOutcome, ThreadData, ThreadMessage } from './messages.ts';

const MAX_WAITING = 64;
/**
 * The budget ends the longest run after one second of CPU time, including diagnostic events; a busy machine can take far
 * longer.
 */
const RUN_WITHIN_MS = 60_000;
const START_WITHIN_MS = 60_000;
/**
 * How often a run restarts because a ledger closed before it had read everything. Each time, it already has the entries that it
 * read before.
 */
const MAX_BEGINNINGS = 10;
/** Excludes the memory of the host, which the network's settings limit. */
const HEAP_MB = 128;

/** How often a run restarts because its thread ended. */
const MAX_LOSSES = 1;

interface Waiting {
  readonly run: LedgerRun;
  beginnings: number;
  losses: number;
  /** The thread to which it was sent. */
  thread: Thread | undefined;
  readonly resolve: (outcome: RenderedOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly readings: MessagePort;
  readonly sent: Int32Array;
  ready: boolean;
}

/** A thread with its own host, for one run at a time. It starts with the first run. */
export class SimulationThread {
  readonly #program: ThreadProgram;
  readonly #waiting: Waiting[] = [];
  #thread: Thread | undefined;
  #current: Waiting | undefined;
  /** Why the current run has no outcome. */
  #failure: { readonly reason: unknown } | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #closed = false;
  #id = 0;

  /** @param program calls `serveSimulations` */
  constructor(program: ThreadProgram) {
    this.#program = program;
  }

  /**
   * @throws SimulatorError, and anything that reading an entry throws
   */
  run(run: LedgerRun): Promise<RenderedOutcome> {
    if (this.#closed) return Promise.reject(closing());
    if (this.#waiting.length >= MAX_WAITING) {
      const message = 'too many long simulations are waiting; try again later';
      return Promise.reject(new SimulatorError('BUSY', message));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, beginnings: 0, losses: 0, thread: undefined, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; runs without an outcome fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closing());
    this.#failure ??= { reason: closing() };
    await Promise.all([this.#thread, this.#current?.thread].map((one) => one?.worker.terminate()));
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      // An idle thread must not keep the process alive.
      this.#thread?.worker.unref();
      return;
    }
    this.#begin(this.#current);
  }

  /** Begins the current run on the current last ledger. */
  #begin(current: Waiting): void {
    current.beginnings += 1;
    if (current.beginnings > MAX_BEGINNINGS) {
      const message = 'ledgers close faster than this simulation runs; try again later';
      this.#fail(new SimulatorError('STOPPED', message));
      return;
    }
    this.#id += 1;
    try {
      const message = current.run.elsewhere(this.#id);
      const thread = this.#open();
      current.thread = thread;
      thread.worker.ref();
      this.#setDeadline(thread);
      thread.worker.postMessage(message);
    } catch (reason) {
      this.#fail(reason);
    }
  }

  /** The thread's loading time does not count against the run. */
  #setDeadline(thread: Thread): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(
      () => {
        const message = 'the simulation took too long and was stopped';
        this.#lose(thread, new SimulatorError('STOPPED', message));
        void thread.worker.terminate();
      },
      thread.ready ? RUN_WITHIN_MS : START_WITHIN_MS,
    );
  }

  #open(): Thread {
    if (this.#thread !== undefined) return this.#thread;
    const { port1: readings, port2 } = new MessageChannel();
    const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: ThreadData = { readings: port2, sent };
    const worker = startThread(this.#program, {
      workerData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    readings.unref();
    const thread = { worker, readings, sent, ready: false };
    this.#thread = thread;
    worker.on('message', (message: ThreadMessage) => this.#receive(thread, message));
    worker.on('error', (reason) => this.#lose(thread, whyEnded(reason)));
    worker.on('exit', () => this.#ended(thread));
    return thread;
  }

  #receive(thread: Thread, message: ThreadMessage): void {
    if (message.kind === 'ready') {
      thread.ready = true;
      if (this.#current?.thread === thread) this.#setDeadline(thread);
      return;
    }
    const current = this.#current;
    if (current === undefined || message.id !== this.#id) return;
    if (message.kind === 'read') {
      const reading = this.#read(current, message.key);
      thread.readings.postMessage(reading);
      Atomics.add(thread.sent, 0, 1);
      Atomics.notify(thread.sent, 0);
      return;
    }
    if (this.#failure !== undefined) {
      this.#fail(this.#failure.reason);
      return;
    }
    if (message.kind === 'stale') {
      this.#begin(current);
      return;
    }
    const { text, sequence, cpuInstructions, outcome } = message;
    this.#take()?.resolve({ text, sequence, cpuInstructions, outcome });
    this.#next();
  }

  /** An error while reading fails the run; the thread itself only receives a request to stop. */
  #read({ run }: Waiting, key: Uint8Array): Reading {
    try {
      return run.read(key);
    } catch (reason) {
      this.#failure ??= { reason };
      return 'stale';
    }
  }

  /** Prevents new runs on a thread that is about to end. */
  #lose(thread: Thread, reason: unknown): void {
    if (this.#thread === thread) this.#thread = undefined;
    if (this.#current?.thread === thread) this.#failure ??= { reason };
  }

  /** Handles the end of a thread, which is replaced when the next run begins. */
  #ended(thread: Thread): void {
    thread.readings.close();
    if (this.#thread === thread) this.#thread = undefined;
    const current = this.#current;
    if (current?.thread !== thread) return;
    if (this.#failure !== undefined) {
      this.#fail(this.#failure.reason);
      return;
    }
    current.losses += 1;
    if (current.losses <= MAX_LOSSES) this.#begin(current);
    else this.#fail(new SimulatorError('STOPPED', 'the simulation was stopped; try again'));
  }

  #fail(reason: unknown): void {
    this.#take()?.reject(reason);
    this.#next();
  }

  #take(): Waiting | undefined {
    clearTimeout(this.#deadline);
    this.#failure = undefined;
    const ended = this.#current;
    this.#current = undefined;
    return ended;
  }
}

/** A simulation that needs too much memory is not an error of the network. */
function whyEnded(reason: unknown): unknown {
  const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return reason;
  return new SimulatorError('STOPPED', 'the simulation needs too much memory and was stopped');
}

function closing(): SimulatorError {
  return new SimulatorError('STOPPED', 'the network is stopping');
}

/** `BUSY`: too many runs are waiting; `STOPPED`: the run was ended. */
type SimulatorErrorCode = 'BUSY' | 'STOPPED';

/** Why a simulation did not produce an outcome. */
export class SimulatorError extends Error {
  override readonly name = 'SimulatorError';
  readonly code: SimulatorErrorCode;

  constructor(code: SimulatorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
