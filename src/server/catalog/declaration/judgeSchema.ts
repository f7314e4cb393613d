import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Json, JsonObject } from './jsonTree.ts';
import { structuralProblem } from './schemaStructure.ts';
import type { SchemaMessage, SchemaQuestion } from './schemaWorker.ts';

/** What does not fit the schema, or why the schema was not tried. `undefined`: the value fits. */
export type SchemaProblem = string | undefined;

export const TOO_COSTLY = 'the schema takes too long to judge';
export const TOO_BUSY = 'too many schemas are being judged; settle again later';

/** CPU time for compiling and trying one schema. Sellers' schemas take a few milliseconds. */
const BUDGET_MS = 100;
/** After this time the worker itself is abandoned: its watchdog did not stop it. */
const GIVE_UP_MS = 10_000;
/** The same for a thread that is still starting. */
const START_WITHIN_MS = 60_000;
/** In each of the two lines. */
const MAX_WAITING = 64;
const MAX_REMEMBERED = 1_000;
/** How long a schema that cost too much is refused untried; not forever, because a busy machine may have been the reason. */
const COSTLY_MS = 60_000;
const HEAP_MB = 64;

/** Who waits for a verdict: a settlement's answer, which is due, or anybody else, who can wait. */
export type SchemaAsker = 'settlement' | 'other';

interface Waiting {
  readonly question: SchemaQuestion;
  readonly resolve: (problem: SchemaProblem) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the thread: the worker's own bundle is next to this bundle. */
function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./schema-worker.js', import.meta.url), { resourceLimits });
  }
  // Tests run from the sources: a thread has to register the TypeScript loader itself.
  const source = new URL('./schemaWorker.ts', import.meta.url).href;
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${source}'); });`;
  return new Worker(load, { eval: true, resourceLimits });
}

/**
 * One thread for one question at a time, so that the cost is never on the thread that serves requests. Settlements go
 * first: what strangers have validated delays none of them by more than one schema.
 */
class SchemaThread {
  readonly #waiting: Readonly<Record<SchemaAsker, Waiting[]>> = { settlement: [], other: [] };
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #ready = false;
  #deadline: NodeJS.Timeout | undefined;
  #next = 0;

  ask(schema: JsonObject, value: Json, asker: SchemaAsker): Promise<SchemaProblem> {
    const waiting = this.#waiting[asker];
    if (waiting.length >= MAX_WAITING) return Promise.resolve(TOO_BUSY);
    this.#next += 1;
    const question = { id: this.#next, schema, value, budgetMs: BUDGET_MS };
    return new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.settlement.shift() ?? this.#waiting.other.shift();
    if (this.#current === undefined) {
      // An idle thread must not keep the process alive.
      this.#worker?.unref();
      return;
    }
    const worker = this.#open();
    worker.ref();
    this.#setDeadline(worker);
    worker.postMessage(this.#current.question);
  }

  /** The thread's loading time does not count against the schema. */
  #setDeadline(worker: Worker): void {
    clearTimeout(this.#deadline);
    const time = this.#ready ? GIVE_UP_MS : START_WITHIN_MS;
    this.#deadline = setTimeout(() => void worker.terminate(), time);
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startWorker();
    this.#ready = false;
    worker.on('message', (answer: SchemaMessage) => {
      if (answer === 'ready') {
        this.#ready = true;
        if (this.#current !== undefined) this.#setDeadline(worker);
        return;
      }
      if (answer.id !== this.#current?.question.id) return;
      this.#end(answer.outOfBudget === true ? TOO_COSTLY : answer.problem);
    });
    // A thread that died is replaced when the next question arrives.
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || this.#worker !== worker) return;
      this.#worker = undefined;
      this.#fail(error);
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      if (this.#current !== undefined) this.#end(this.#ready ? TOO_COSTLY : TOO_BUSY);
    });
    this.#worker = worker;
    return worker;
  }

  #end(problem: SchemaProblem): void {
    this.#take()?.resolve(problem);
    this.#begin();
  }

  #fail(error: Error): void {
    this.#take()?.reject(error);
    this.#begin();
  }

  #take(): Waiting | undefined {
    clearTimeout(this.#deadline);
    const ended = this.#current;
    this.#current = undefined;
    return ended;
  }
}

const thread = new SchemaThread();
interface Verdict {
  readonly problem: SchemaProblem;
  /** Milliseconds of `performance.now()`. */
  readonly until: number;
}

const verdicts = new Map<string, Verdict>();

function remember(key: string, problem: SchemaProblem): void {
  const until = problem === TOO_COSTLY ? performance.now() + COSTLY_MS : Number.POSITIVE_INFINITY;
  if (verdicts.size >= MAX_REMEMBERED) {
    const [oldest] = verdicts.keys();
    if (oldest !== undefined) verdicts.delete(oldest);
  }
  verdicts.delete(key);
  verdicts.set(key, { problem, until });
}

/**
 * Checks whether a value fits a seller's JSON schema (draft 2020-12). The cost is bounded: callers
 * limit the size of both; references are few and do not multiply the schema; it is compiled and tried
 * in a separate thread, within a budget. Repeated questions are answered from memory.
 */
export async function judgeSchema(
  schema: JsonObject,
  value: Json,
  asker: SchemaAsker,
): Promise<SchemaProblem> {
  const key = createHash('sha256')
    .update(JSON.stringify([schema, value]))
    .digest('base64');
  const known = verdicts.get(key);
  if (known !== undefined && performance.now() < known.until) return known.problem;
  const problem = structuralProblem(schema) ?? (await thread.ask(schema, value, asker));
  if (problem !== TOO_BUSY) remember(key, problem);
  return problem;
}
