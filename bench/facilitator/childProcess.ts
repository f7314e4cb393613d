import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Length of the kernel's clock ticks in seconds, the unit of CPU time in /proc. */
const TICK_SECONDS = 0.01;

/** A program in its own process, whose first line of output is its address as JSON. */
export class Child<Told> {
  readonly told: Told;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, told: Told) {
    this.#child = child;
    this.told = told;
  }

  /** @throws Error if the program exits without output */
  static async start<Told>(args: readonly string[], settings: object = {}): Promise<Child<Told>> {
    const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
    const child = spawn(process.execPath, [...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const first = once(lines, 'line') as Promise<[string]>;
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${args.join(' ')} ended before it was ready.`);
    });
    const [line] = await Promise.race([first, ended]);
    ended.catch(() => undefined);
    return new Child(child, JSON.parse(line) as Told);
  }

  /** CPU time used so far, in seconds, if the system reports it. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_SECONDS;
  }

  /** Resident memory in megabytes (1,000,000 bytes). */
  megabytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
    return (Number(kilobytes) * 1_024) / 1e6;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
