import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { opened } from './rawClient.ts';

/** Length of the kernel's clock ticks in seconds, the unit of CPU time in /proc. */
const TICK_SECONDS = 0.01;
const START_MS = 30_000;

interface ServerOptions {
  /** Path of the file of its output. */
  readonly output: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server in one process of its own, whose output goes to a file. */
export class Server {
  readonly name: string;
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(name: string, port: number, child: ChildProcess) {
    this.name = name;
    this.port = port;
    this.#child = child;
  }

  /** @throws Error if nothing listens at its port within 30 seconds, or the program ends before */
  static async start(
    name: string,
    port: number,
    [program = '', ...args]: readonly string[],
    { output, environment = {} }: ServerOptions,
  ): Promise<Server> {
    const file = openSync(output, 'a');
    const child = spawn(program, args, {
      stdio: ['ignore', file, file],
      env: { ...process.env, ...environment },
    });
    closeSync(file);
    let problem: Error | undefined;
    child.once('error', (error) => {
      problem = error;
    });
    for (const until = performance.now() + START_MS; ; await pause(20)) {
      const socket = await opened(port).catch(() => undefined);
      if (socket !== undefined) {
        socket.destroy();
        return new Server(name, port, child);
      }
      if (problem !== undefined) throw problem;
      if (child.exitCode !== null || performance.now() > until) {
        child.kill('SIGKILL');
        throw new Error(`${name} did not start: ${readFileSync(output, 'utf8').slice(-2_000)}`);
      }
    }
  }

  /** CPU time used so far, in seconds. */
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
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const cut = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(cut);
  }
}
