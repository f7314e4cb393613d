import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../docs/pages/projectFile.ts';

/** Why tests that install programs into file systems of their own are skipped; `undefined` where they run. */
export const rootMissing: string | undefined =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0
    ? undefined
    : 'needs root, and a system that lets it make mount namespaces';

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** A program that a test started. */
export interface Started {
  /** What it printed on both streams so far. */
  output(): string;
  /** The first line that is a JSON object with this `event`. Rejects if it ends without one. */
  event(name: string): Promise<Record<string, unknown>>;
  readonly ended: Promise<number | null>;
  /** Ends the program and resolves to its status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program in a process group of its own. */
export function start(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = projectRoot,
): Started {
  const [program = '', ...args] = command;
  const { PATH = '' } = process.env;
  const child = spawn(program, args, {
    cwd,
    env: { PATH, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const events: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    if (line.startsWith('{')) events.push(JSON.parse(line) as Record<string, unknown>);
    for (const look of waiting) look();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  return {
    output: () => output,
    ended,
    event: (name) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find(({ event }) => event === name);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then((code) =>
          reject(new Error(`ended with ${code} before ${name}:\n${output}`)),
        );
      }),
    stop(signal = 'SIGTERM') {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // It has ended by itself.
      }
      return ended;
    },
  };
}

/** A folder for one test that other users can enter. */
export function openFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `svc-x402-${name}-`));
  execFileSync('chmod', ['755', path]);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Packs the npm package as the pages do, into a folder, and returns its path. */
export function packPackage(folder: string): string {
  const packed = join(folder, 'svc-x402.tgz');
  execFileSync(process.execPath, ['scripts/packNpm.mjs', packed], {
    cwd: projectRoot,
    stdio: 'pipe',
  });
  return packed;
}

/** Replaces the values of variables in a file of `NAME=value` lines, as an operator fills it in. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((made, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, 'm');
    return line.test(made) ? made.replace(line, `${name}=${value}`) : `${made}${name}=${value}\n`;
  }, text);
}

/** Reads a file of `NAME=value` lines. */
export function variables(text: string): Record<string, string> {
  const lines = text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}
