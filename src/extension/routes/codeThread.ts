import { Worker } from 'node:worker_threads';
import type { ProjectFiles } from '../../codegen/index.ts';

type Codegen = typeof import('../../codegen/index.ts');

/** What reads or changes code of others, by its name in the bundle. */
export type Reading =
  | 'addPayment'
  | 'applyEdits'
  | 'findProject'
  | 'findRoutes'
  | 'findWellKnown'
  | 'gateTerms'
  | 'listResource'
  | 'notesToAccept'
  | 'removePayment'
  | 'routeAt'
  | 'routeDescription'
  | 'setPrice'
  | 'sourceInProject'
  | 'unlistResource'
  | 'writingFacts';

/** Why code was not read, which is not the same as code without endpoints. */
export type WhyUnread = 'too_slow' | 'too_deep' | 'too_many';

/** Code that the thread did not read within its limits. */
export class CodeUnread extends Error {
  readonly code = 'code_unread';
  readonly why: WhyUnread;

  constructor(why: WhyUnread) {
    super(why);
    this.name = 'CodeUnread';
    this.why = why;
  }
}

/** Limits of one reading. Above the first two, the thread ends. */
interface Limits {
  /** Milliseconds of the thread, without those in which it waits for files. */
  readonly withinMs: number;
  readonly megabytes: number;
  /** Longest answer, in characters of JSON without texts: the editor spends time on each. */
  readonly answer: number;
}

const LIMITS: Limits = { withinMs: 5_000, megabytes: 512, answer: 1_000_000 };

type FromThread =
  | { readonly value: unknown }
  | { readonly unread: WhyUnread }
  | { readonly error: string }
  | { readonly file: keyof ProjectFiles; readonly path: string };

/** Loads the bundle that reads code. It is beside this one, so the thread needs no bundle of its own. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const codegen = require(workerData.bundle);
let answered = () => undefined;
const ask = (file) => (path) => new Promise((resolve) => {
  answered = resolve;
  parentPort.postMessage({ file, path });
});
const files = { exists: ask('exists'), read: ask('read'), scripts: ask('scripts') };
const plain = (key, value) => (key === 'text' ? undefined : value);
async function answer({ name, args, filesAt }) {
  const value = await codegen[name](...args.map((arg, at) => (at === filesAt ? files : arg)));
  if (name === 'findRoutes' && value.length === 0 && codegen.whyUnread(args[0]) !== undefined) {
    return { unread: 'too_deep' };
  }
  const length = JSON.stringify(value, plain)?.length ?? 0;
  return length > workerData.answer ? { unread: 'too_many' } : { value };
}
const failed = (error) =>
  error instanceof RangeError && /call stack/i.test(error.message)
    ? { unread: 'too_deep' }
    : { error: error instanceof Error ? error.message : String(error) };
parentPort.on('message', (message) => {
  if ('answer' in message) answered(message.answer);
  else answer(message).catch(failed).then((result) => parentPort.postMessage(result));
});
`;

/** Reads and changes code of others in a thread, so that the extension host stays responsive whatever the code contains. */
export class CodeThread {
  readonly #bundle: string;
  readonly #limits: Limits;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param bundle path of the code generator's bundle */
  constructor(bundle: string, limits: Partial<Limits> = {}) {
    this.#bundle = bundle;
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Calls a function of the code generator, one call after the other.
   * @param args its arguments; files are read here, and given to the thread
   * @throws CodeUnread if the code exceeds the limits
   */
  ask<Name extends Reading>(
    name: Name,
    ...args: Parameters<Codegen[Name]>
  ): Promise<Awaited<ReturnType<Codegen[Name]>>> {
    const answer = this.#last.then(() => this.#ask(name, args));
    this.#last = answer.catch(() => undefined);
    // The thread called this very function.
    return answer as Promise<Awaited<ReturnType<Codegen[Name]>>>;
  }

  dispose(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #ask(name: Reading, given: readonly unknown[]): Promise<unknown> {
    const worker = this.#worker ?? this.#start();
    const filesAt = given.findIndex(isFiles);
    const files = given.find(isFiles);
    const args = given.map((arg) => (isFiles(arg) ? undefined : arg));
    return new Promise((resolve, reject) => {
      let left = this.#limits.withinMs;
      let since = 0;
      let timer: NodeJS.Timeout | undefined;
      const run = () => {
        since = performance.now();
        timer = setTimeout(giveUp, left);
      };
      const pause = () => {
        clearTimeout(timer);
        left -= performance.now() - since;
      };
      const end = () => {
        clearTimeout(timer);
        worker.off('message', receive).off('error', giveUp).off('exit', giveUp);
      };
      const giveUp = () => {
        end();
        // Nobody awaits an error of a thread that is ending.
        worker.on('error', () => undefined);
        if (this.#worker === worker) this.dispose();
        reject(new CodeUnread('too_slow'));
      };
      const receive = (message: FromThread) => {
        if ('file' in message) {
          pause();
          void readFor(files, message).then((answer) => {
            run();
            worker.postMessage({ answer });
          });
          return;
        }
        end();
        if ('value' in message) resolve(message.value);
        else if ('unread' in message) reject(new CodeUnread(message.unread));
        else reject(new Error(message.error));
      };
      worker.on('message', receive).on('error', giveUp).on('exit', giveUp);
      run();
      worker.postMessage({ name, args, filesAt });
    });
  }

  #start(): Worker {
    const { megabytes, answer } = this.#limits;
    const worker = new Worker(SCRIPT, {
      eval: true,
      workerData: { bundle: this.#bundle, answer },
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

function isFiles(argument: unknown): argument is ProjectFiles {
  return typeof argument === 'object' && argument !== null && 'read' in argument;
}

/** A file that cannot be read is one that is not there. */
async function readFor(
  files: ProjectFiles | undefined,
  { file, path }: { readonly file: keyof ProjectFiles; readonly path: string },
): Promise<unknown> {
  try {
    return await files?.[file]?.(path);
  } catch {
    return undefined;
  }
}
