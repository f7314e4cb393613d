import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program whose lines are read, and written to when it listens. */
export class Child {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  #ended: number | null | undefined;
  #errors = '';

  constructor(
    command: string,
    args: readonly string[],
    folder: string,
    environment: Readonly<Record<string, string>>,
  ) {
    // A machine may reach its registry only through an authority of its own.
    const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env;
    const trusted = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
    this.#child = spawn(command, args, {
      cwd: folder,
      env: { PATH, HOME, ...trusted, NEXT_TELEMETRY_DISABLED: '1', CI: '1', ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = this.#child;
    if (stdout) {
      createInterface({ input: stdout }).on('line', (line) => {
        this.lines.push(line);
        this.#look();
      });
    }
    stderr?.on('data', (chunk: Buffer) => {
      this.#errors = `${this.#errors}${chunk.toString()}`.slice(-8_000);
    });
    this.#child.once('error', (error) => {
      this.#errors += error.message;
    });
    this.#child.once('close', (code) => {
      this.#ended = code;
      this.#look();
    });
  }

  /** The first line from `start` on that matches. @throws Error when the program ends without it */
  line(pattern: RegExp, start = 0): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        for (const line of this.lines.slice(start)) {
          const match = pattern.exec(line);
          if (match) {
            this.#waiting.delete(look);
            resolve(match);
            return;
          }
        }
        if (this.#ended === undefined) return;
        this.#waiting.delete(look);
        reject(new Error(`ended with ${this.#ended} before ${pattern}:\n${this.said()}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Waits for the end. @throws Error with the output, unless it succeeded */
  async succeeds(): Promise<void> {
    if (this.#ended === undefined) {
      await new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    }
    if (this.#ended !== 0) throw new Error(`ended with ${this.#ended}:\n${this.said()}`);
  }

  /** Resolves with whether the program has ended, or ends within so many milliseconds. */
  async endsWithin(milliseconds: number): Promise<boolean> {
    for (let waited = 0; this.#ended === undefined && waited < milliseconds; waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return this.#ended !== undefined;
  }

  said(): string {
    return `${this.lines.join('\n')}\n${this.#errors}`.trim();
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async stop(): Promise<void> {
    if (this.#ended !== undefined) return;
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await closed;
    clearTimeout(kill);
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }
}
