import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Location of a thread's program. */
export interface ThreadProgram {
  /** `import.meta.url` of the caller. */
  readonly from: string;
  /** The source, relative to the caller: `./simulationWorker.ts`. */
  readonly source: string;
  /** The bundle, relative to the bundle that the caller is in: `./simulation-worker.js`. */
  readonly bundle: string;
}

/** Compiled programs by the URL of their source. Only the build of the tests defines it. */
declare const COMPILED_PROGRAMS: Readonly<Record<string, string>> | undefined;

/** Starts a thread: its own bundle is next to the caller's bundle. */
export function startThread(
  { from, source, bundle }: ThreadProgram,
  options: WorkerOptions,
): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(bundle, from), options);
  const { href } = new URL(source, from);
  const compiled = typeof COMPILED_PROGRAMS === 'undefined' ? undefined : COMPILED_PROGRAMS[href];
  if (compiled !== undefined) return new Worker(new URL(compiled), options);
  // Run from the sources, a thread has to register the TypeScript loader itself.
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${href}'); });`;
  return new Worker(load, { ...options, eval: true });
}
