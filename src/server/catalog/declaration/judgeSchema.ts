import { createHash } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../machine/index.ts';
import { isJsonObject, type Json, type JsonObject } from './jsonTree.ts';
import type { SchemaMessage, SchemaQuestion } from './schemaWorker.ts';

/** Maximum number of references that a schema contains. */
const MAX_REFERENCES = 16;
/**
 * Maximum number of values in a schema after every reference is replaced with its target. A declaration itself has
 * at most 2,000: references can double that number, but not multiply it further.
 */
const MAX_EXPANDED = 4_000;
const NEVER = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$vocabulary',
]);

/** Finds the references of a schema; `undefined` if a keyword reaches outside it. */
function references(schema: Json, found: string[] = []): string[] | undefined {
  if (Array.isArray(schema)) {
    for (const item of schema) if (references(item, found) === undefined) return undefined;
  } else if (isJsonObject(schema)) {
    for (const [name, value] of Object.entries(schema)) {
      if (NEVER.has(name) && typeof value === 'string') return undefined;
      if (name === '$ref' && typeof value === 'string') {
        if (!/^#(\/[^%]*)?$/.test(value)) return undefined;
        found.push(value);
      } else if (references(value, found) === undefined) return undefined;
    }
  }
  return found;
}

function at(schema: JsonObject, pointer: string): Json | undefined {
  let node: Json | undefined = schema;
  if (pointer === '#') return node;
  for (const part of pointer.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) node = node[Number(name)];
    else if (isJsonObject(node)) node = Object.hasOwn(node, name) ? node[name] : undefined;
    else return undefined;
  }
  return node;
}

/** Whether references form a cycle: then a small value can have an exponential cost. */
function isRecursive(schema: JsonObject, pointer: string, path: readonly string[] = []): boolean {
  if (path.includes(pointer)) return true;
  const target = at(schema, pointer);
  const next = target === undefined ? [] : (references(target) ?? []);
  return next.some((below) => isRecursive(schema, below, [...path, pointer]));
}

/** Counts the values of a schema, following references, up to one above the bound. */
function expandedSize(schema: JsonObject): number {
  let size = 0;
  const walk = (node: Json): void => {
    size += 1;
    if (size > MAX_EXPANDED || typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      const target = name === '$ref' && typeof value === 'string' ? at(schema, value) : value;
      if (target !== undefined) walk(target);
      if (size > MAX_EXPANDED) return;
    }
  };
  walk(schema);
  return size;
}

/**
 * Checks a seller's schema before it is compiled: references are few, inside the schema, without a
 * cycle, and following them does not multiply its size.
 *
 * @returns the problem, or `undefined`
 */
function structuralProblem(schema: JsonObject): string | undefined {
  const found = references(schema);
  if (found === undefined) return 'the schema refers to something outside itself';
  if (found.length > MAX_REFERENCES) return `the schema has more than ${MAX_REFERENCES} references`;
  if (found.some((pointer) => isRecursive(schema, pointer))) return 'the schema refers to itself';
  if (expandedSize(schema) > MAX_EXPANDED) {
    return `the schema has more than ${MAX_EXPANDED} parts once its references are followed`;
  }
  return undefined;
}

/** Why the value does not fit the schema, or why the schema was not tried. `undefined`: the value fits. */
export type SchemaProblem = string | undefined;

export const TOO_COSTLY = 'the schema takes too long to judge';
export const TOO_BUSY = 'too many schemas are being judged; settle again later';

/** CPU time for compiling and trying one schema. Sellers' schemas take a few milliseconds. */
const BUDGET_MS = 100;
/** After this time the worker itself is abandoned, because its watchdog did not stop it. */
const GIVE_UP_MS = 10_000;
/** The same for a thread that is still starting. */
const START_WITHIN_MS = 60_000;
/** Maximum number of questions that wait for each thread. */
const MAX_WAITING = 64;
/** Maximum time that a settlement waits for other schemas: its answer is due, and a later settlement can list the entry. */
const SETTLEMENT_WAITS_MS = 250;
const MAX_REMEMBERED = 1_000;
/**
 * How long a schema that cost too much is refused without a try; not forever, because a busy machine might have been the
 * reason.
 */
const COSTLY_MS = 60_000;
const HEAP_MB = 64;

/** Who awaits a verdict: a settlement, whose answer is due, or any other request. */
export type SchemaAsker = 'settlement' | 'other';

interface Waiting {
  readonly question: SchemaQuestion;
  readonly resolve: (problem: SchemaProblem) => void;
  readonly reject: (error: Error) => void;
  patience: NodeJS.Timeout | undefined;
}

const PROGRAM = {
  from: import.meta.url,
  source: './schemaWorker.ts',
  bundle: './schema-worker.js',
};

/** One thread that answers one question at a time, so that the thread that serves requests never bears the cost. */
class SchemaThread {
  readonly #waitsMs: number | undefined;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #ready = false;
  #hasLoaded = false;
  #deadline: NodeJS.Timeout | undefined;
  #next = 0;

  /** @param waitsMs how long a question waits for its turn, if there is such a limit */
  constructor(waitsMs?: number) {
    this.#waitsMs = waitsMs;
  }

  ask(schema: JsonObject, value: Json): Promise<SchemaProblem> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(TOO_BUSY);
    this.#next += 1;
    const question = { id: this.#next, schema, value, budgetMs: BUDGET_MS };
    return new Promise((resolve, reject) => {
      const asked: Waiting = { question, resolve, reject, patience: undefined };
      this.#waiting.push(asked);
      this.#limitWait(asked);
      this.#begin();
    });
  }

  /** Loading the first thread delays all askers once; that time does not count. */
  #limitWait(asked: Waiting): void {
    if (this.#waitsMs === undefined || !this.#hasLoaded) return;
    asked.patience = setTimeout(() => {
      // If this process itself was delayed, answers that have arrived meanwhile come first.
      setImmediate(() => {
        const at = this.#waiting.indexOf(asked);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        asked.resolve(TOO_BUSY);
      });
    }, this.#waitsMs);
  }

  #loaded(): void {
    this.#ready = true;
    if (this.#hasLoaded) return;
    this.#hasLoaded = true;
    for (const asked of this.#waiting) this.#limitWait(asked);
  }

  #begin(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    clearTimeout(this.#current?.patience);
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
    const worker = startThread(PROGRAM, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#ready = false;
    worker.on('message', (answer: SchemaMessage) => {
      if (answer === 'ready') {
        this.#loaded();
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

/** Strangers pay nothing, so they can delay only each other. */
const threads: Readonly<Record<SchemaAsker, SchemaThread>> = {
  settlement: new SchemaThread(SETTLEMENT_WAITS_MS),
  other: new SchemaThread(),
};

/** Questions in progress: all sales of one resource declare the same. */
const asked: Readonly<Record<SchemaAsker, Map<string, Promise<SchemaProblem>>>> = {
  settlement: new Map(),
  other: new Map(),
};

async function askOnce(
  key: string,
  schema: JsonObject,
  value: Json,
  asker: SchemaAsker,
): Promise<SchemaProblem> {
  const underWay = asked[asker];
  const same = underWay.get(key);
  if (same !== undefined) return same;
  const verdict = threads[asker].ask(schema, value);
  underWay.set(key, verdict);
  try {
    return await verdict;
  } finally {
    underWay.delete(key);
  }
}

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
 * in a separate thread for each kind of asker, within a budget. Equal questions are asked once.
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
  const problem = structuralProblem(schema) ?? (await askOnce(key, schema, value, asker));
  if (problem !== TOO_BUSY) remember(key, problem);
  return problem;
}
