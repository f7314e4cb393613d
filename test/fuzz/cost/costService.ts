import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figures, Question, Reply, Started } from './figures.ts';

/** The service in a process of its own, which can be asked for what it used. */
export class CostService {
  readonly started: Started;
  control: string;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 0;

  private constructor(child: ChildProcess, started: Started) {
    this.#child = child;
    this.started = started;
    this.control = started.control;
    child.on('message', (message) => {
      const { id, answer } = message as { id: number; answer: Reply };
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  static async start(): Promise<CostService> {
    const file = fileURLToPath(new URL('serviceProcess.ts', import.meta.url));
    const child = fork(file, [], { execArgv: ['--import', 'tsx'] });
    // Each question under way listens for its end.
    child.setMaxListeners(0);
    const started = await new Promise<Started>((resolve, reject) => {
      child.once('message', (first) => resolve((first as { answer: Started }).answer));
      child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    });
    return new CostService(child, started);
  }

  /** @throws when the service has ended */
  #ask(question: Question): Promise<Reply> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      throw new Error('the service has ended');
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      const ended = (code: number | null, signal: string | null): void =>
        reject(new Error(`the service ended with ${code ?? signal}`));
      this.#child.once('exit', ended);
      this.#waiting.set(id, (reply) => {
        this.#child.off('exit', ended);
        resolve(reply);
      });
      this.#child.send({ id, question });
    });
  }

  /** @param asks what takes longer: counting rows, collecting garbage first */
  async figures(asks: { rows?: boolean; collect?: boolean } = {}): Promise<Figures> {
    const reply = await this.#ask({ ask: 'figures', rows: false, collect: false, ...asks });
    if (!('figures' in reply)) throw new Error('an answer to another question');
    return reply.figures;
  }

  /** Calls a tool of the MCP server. */
  async callTool(tool: string, input: unknown): Promise<{ bytes: number; refused: boolean }> {
    const reply = await this.#ask({ ask: 'mcp', tool, input });
    if (!('bytes' in reply)) throw new Error('an answer to another question');
    return reply;
  }

  /** Puts a new network in the place of the one that the methods of control have changed. */
  async renewControl(): Promise<void> {
    const reply = await this.#ask({ ask: 'control' });
    if (!('control' in reply)) throw new Error('an answer to another question');
    this.control = reply.control;
  }

  async close(): Promise<void> {
    // One that has ended by itself says so only once.
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }
}
