import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type DemoStep, parseDemoStep } from './demoStep.ts';

export interface ExampleProgram {
  /** Resolves when the program has ended and all its output has arrived; never rejects. */
  readonly ended: Promise<void>;
  /** The end of the program's stderr, for a failure's message. */
  errors(): string;
  /** Asks the program to end and waits until it has ended. */
  stop(): Promise<void>;
}

/** The variables that a program needs from this process's environment; no others are passed on. */
const INHERITED = ['PATH', 'HOME', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/**
 * Starts a program of `examples/paid-api` in its own process, as a user would.
 * @param onStep called with each step that the program prints
 */
export function startExample(
  folder: string,
  program: string,
  settings: Readonly<Record<string, string>>,
  onStep: (step: DemoStep) => void,
): ExampleProgram {
  const child = spawn(process.execPath, [program, '--json'], {
    cwd: folder,
    env: { ...inherited(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const step = parseDemoStep(line);
    if (step) onStep(step);
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-2_000);
  });
  // The program ends with this process, however this process ends.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.off('exit', kill);
      resolve();
    });
    child.once('error', (error) => {
      errors = `${program} could not be started: ${error.message}`;
      resolve();
    });
  });
  return {
    ended,
    errors: () => errors.trim(),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function inherited(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
