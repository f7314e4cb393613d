import { Worker } from 'node:worker_threads';
import type { Route, SourceText } from '../../codegen/index.ts';

/** The endpoints of a file, or why they are unknown. */
export type ThreadAnswer =
  | { readonly routes: readonly Route[] }
  | { readonly unread: 'too_slow' | 'too_deep' };

/** Limits of one reading. Above them, the thread ends. */
interface Limits {
  readonly withinMs: number;
  readonly megabytes: number;
}

const LIMITS: Limits = { withinMs: 5_000, megabytes: 512 };

/** Files above this length, in characters, are read in a thread, so that none keeps the extension host busy. */
export const READ_HERE_UP_TO = 20_000;

/** Loads the bundle that reads code. It is beside this one, so the thread needs no bundle of its own. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { findRoutes, whyUnread } = require(workerData);
parentPort.on('message', (source) => {
  const routes = findRoutes(source);
  const unread = routes.length === 0 && whyUnread(source) !== undefined ? 'too_deep' : undefined;
  parentPort.postMessage(unread ? { unread } : { routes });
});
`;

/** Reads large files of others in a thread, so that the extension host stays responsive whatever they contain. */
export class RouteThread {
  readonly #bundle: string;
  readonly #limits: Limits;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param bundle path of the bundle that exports `findRoutes` */
  constructor(bundle: string, limits: Partial<Limits> = {}) {
    this.#bundle = bundle;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Reads one file after the other. */
  read(source: SourceText): Promise<ThreadAnswer> {
    const answer = this.#last.then(() => this.#ask(source));
    this.#last = answer;
    return answer;
  }

  dispose(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #ask(source: SourceText): Promise<ThreadAnswer> {
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve) => {
      const settle = (answer: ThreadAnswer) => {
        clearTimeout(timer);
        worker.off('message', settle).off('error', giveUp).off('exit', giveUp);
        resolve(answer);
      };
      const giveUp = () => {
        // Nobody awaits an error of a thread that is ending.
        worker.on('error', () => undefined);
        this.dispose();
        settle({ unread: 'too_slow' });
      };
      const timer = setTimeout(giveUp, this.#limits.withinMs);
      worker.once('message', settle);
      worker.once('error', giveUp);
      worker.once('exit', giveUp);
      worker.postMessage(source);
    });
  }

  #start(): Worker {
    const { megabytes } = this.#limits;
    const worker = new Worker(SCRIPT, {
      eval: true,
      workerData: this.#bundle,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
