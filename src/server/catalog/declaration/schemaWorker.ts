import { createContext, Script } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from './jsonTree.ts';
import { threadCpuMs } from './threadCpu.ts';

/** Maximum length of a pattern, and of a text that a pattern is tried on. */
const MAX_PATTERN_LENGTH = 256;
const MAX_TEXT_LENGTH = 512;

/**
 * Whether a pattern's cost is bounded by its length and the text's: no groups, so that repetitions are
 * not nested; at most two unbounded repetitions, so that the cost is at most quadratic.
 */
function isCheap(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  const bare = pattern
    .replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./gu, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  if (/[()[\]|]/.test(bare)) return false;
  const counted = [...bare.matchAll(/\{(\d+)(,?)(\d*)\}/g)];
  if (counted.some(([, from, , to]) => Number(from) > 100 || Number(to || 0) > 100)) return false;
  const endless = bare.match(/[*+]|\{\d+,\}/g) ?? [];
  const ranges = counted.filter(([, , comma, to]) => comma !== '' && to !== '');
  const optional = bare.match(/\?/g) ?? [];
  return endless.length + ranges.length <= 2 && optional.length <= 8;
}

/** The part of a regular expression that ajv uses. */
interface PatternTest {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of a seller's schema. A pattern whose cost is not bounded is not run: it always
 * matches, as does any pattern on a text that is too long. The example in a declaration is the seller's
 * own, so a missed mismatch harms nobody.
 * @throws SyntaxError if the pattern is invalid
 */
function boundedPattern(pattern: string, flags: string): PatternTest {
  const expression = new RegExp(pattern, flags);
  if (!isCheap(pattern)) return { test: () => true };
  return { test: (text) => text.length > MAX_TEXT_LENGTH || expression.test(text) };
}

const MAX_PROBLEM_LENGTH = 300;

const patternEngine = Object.assign(
  (pattern: string, flags: string) => boundedPattern(pattern, flags),
  { code: 'boundedPattern' },
);

const newAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    // Formats are annotations in draft 2020-12, and some of their patterns are costly.
    validateFormats: false,
    addUsedSchema: false,
    allErrors: false,
    code: { regExp: patternEngine },
  });
  // Compiles the draft's own rules now, so that this does not count against a seller's schema.
  ajv.compile({ type: 'object', properties: { warm: { minimum: 1 } } });
  return ajv;
};

let ajv = newAjv();

/** Resets the compiler, which is unusable after a schema was aborted. */
function forgetSchemas(): void {
  ajv = newAjv();
}

/**
 * Checks a value against a JSON schema (draft 2020-12). The schema's author controls the cost, so this
 * runs only in a worker (`schemaWorker.ts`).
 *
 * @returns why the value does not fit, or `undefined`
 */
function tryExample(schema: JsonObject, value: Json): string | undefined {
  // ajv would look for the schema of a draft that is named; the rules of 2020-12 apply instead.
  const { $schema: _, ...rules } = schema;
  try {
    const validate = ajv.compile(rules);
    if (validate(value) === true) return undefined;
    const [first] = validate.errors ?? [];
    const problem = `${first?.instancePath || 'info'}: ${first?.message ?? 'does not fit'}`;
    return problem.slice(0, MAX_PROBLEM_LENGTH);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return `the schema cannot be used: ${why}`.slice(0, MAX_PROBLEM_LENGTH);
  } finally {
    ajv.removeSchema(rules);
  }
}

/** A question for the worker. */
export interface SchemaQuestion {
  readonly id: number;
  readonly schema: JsonObject;
  readonly value: Json;
  /** Total CPU time for compiling and trying. */
  readonly budgetMs: number;
}

/** Messages of the thread: ready for questions, or an answer. */
export type SchemaMessage = 'ready' | SchemaAnswer;

/** The worker's answer: why the value does not fit, or that the budget ran out. */
export interface SchemaAnswer {
  readonly id: number;
  readonly problem?: string;
  readonly outOfBudget?: true;
}

const holder: { ask: () => string | undefined } = { ask: () => undefined };
const sandbox = createContext(holder);
const script = new Script('ask()');

/** On a busy machine a try gets little CPU time, so it is repeated with four times the duration. */
const TRIES = 3;
const LONGER = 4;
/**
 * A schema that used this share of its budget without finishing is too costly, because a deadline of 100 ms never leaves 100 ms
 * of CPU time.
 */
const ENOUGH = 0.5;

/** Node's own watchdog stops everything that runs in here, including compiled code and patterns. */
function answer({ id, schema, value, budgetMs }: SchemaQuestion): SchemaAnswer {
  holder.ask = () => tryExample(schema, value);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = threadCpuMs();
    try {
      const problem: unknown = script.runInContext(sandbox, {
        timeout: budgetMs * LONGER ** tried,
      });
      return typeof problem === 'string' ? { id, problem } : { id };
    } catch {
      // The deadline, or a stack or heap that ran out.
      const after = threadCpuMs();
      forgetSchemas();
      if (before !== undefined && after !== undefined && after - before >= budgetMs * ENOUGH) break;
    }
  }
  return { id, outOfBudget: true };
}

parentPort?.on('message', (question: SchemaQuestion) => {
  parentPort?.postMessage(answer(question));
});
// The thread has loaded and takes questions from now on.
parentPort?.postMessage('ready');
