import { createContext, Script } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { Json, JsonObject } from './jsonTree.ts';
import { threadCpuMs } from './threadCpu.ts';
import { forgetSchemas, tryExample } from './tryExample.ts';

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
