import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A server in its own process, from start to exit. */
export class MeasuredProcess {
  readonly started = performance.now();
  readonly #child: ChildProcess;
  #output = '';

  constructor(
    command: string,
    args: readonly string[],
    folder: string,
    variables: Readonly<Record<string, string>> = {},
  ) {
    this.#child = spawn(command, [...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', ...variables },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = `${this.#output}${chunk.toString()}`.slice(-4_000);
      });
    }
  }

  /**
   * Polls until the server responds, and returns the milliseconds since its start.
   * @throws Error with the server's output if it exits or stays silent for 20 seconds
   */
  async firstAnswer(ask: () => Promise<unknown>): Promise<number> {
    for (;;) {
      const answered = await ask().then(
        () => true,
        () => false,
      );
      const waited = performance.now() - this.started;
      if (answered) return waited;
      if (this.#child.exitCode !== null || waited > 20_000) {
        await this.stop();
        throw new Error(`The server did not answer. It said: ${this.#output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** Resident memory in megabytes (1,000,000 bytes). */
  memory(): number {
    const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(this.#child.pid)]);
    return (Number(kilobytes.toString()) * 1024) / 1e6;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port to be had.');
  return address.port;
}
