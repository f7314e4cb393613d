import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { measured } from '../support/waits.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program as a user starts it, from the bundles in dist/. */
export class CliProcess {
  readonly ended: Promise<Ended>;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #events: Record<string, unknown>[] = [];
  readonly #waiting = new Set<() => void>();
  #stdout = '';
  #stderr = '';

  /**
   * @param preload a module that Node loads before the program
   * @param container arguments of `unshare`, where the program has namespaces of its own
   */
  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    preload?: string,
    container?: readonly string[],
  ) {
    const { PATH = '', HOME = '' } = process.env;
    const [program = '', ...before] = [
      ...(container ? ['unshare', ...container] : []),
      process.execPath,
    ];
    const child = spawn(
      program,
      [...before, ...(preload ? ['--import', preload] : []), cli, ...args],
      {
        env: { PATH, HOME, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    this.pid = child.pid ?? 0;
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#stdout += `${line}\n`;
      if (line.startsWith('{"')) this.#events.push(JSON.parse(line) as Record<string, unknown>);
      for (const look of this.#waiting) look();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.ended = new Promise((resolve) => {
      child.once('close', (code) => {
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** Sends a signal, and does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /**
   * The first event of this name that the program prints with `--json`, or a later one by its index.
   * @throws Error with what the program said when it ends without it
   */
  event(name: string, index = 0): Promise<Record<string, unknown>> {
    const printed = new Promise<Record<string, unknown>>((resolve, reject) => {
      const look = () => {
        const found = this.#events.filter(({ event }) => event === name)[index];
        if (!found) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
      void this.ended.then(({ code, stdout, stderr }) => {
        reject(new Error(`ended with ${code} before ${name}:\n${stdout}\n${stderr}`));
      });
    });
    return measured('process', printed);
  }

  /**
   * Waits until the program has printed a text on stdout.
   * @throws Error with what the program said when it ends without it
   */
  printed(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!this.#stdout.includes(text)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
      void this.ended.then(({ code, stdout, stderr }) => {
        reject(new Error(`ended with ${code} before "${text}":\n${stdout}\n${stderr}`));
      });
    });
  }

  stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' = 'SIGINT'): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** A data folder of its own for one test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-x402-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
