import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliProcess } from '../../cli/cliProcess.ts';

const AGAIN_MS = 500;
const LONGEST_STOP_MS = 40_000;
const clockModule = new URL('./clockStep.mjs', import.meta.url).href;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Options that differ from the usual way to run an instance. */
export interface InstanceOptions {
  /** Data folder; one of its own below `folder` by default. */
  readonly dataFolder?: string;
  /** Start over by a supervisor in the program itself; without it the harness is the supervisor. */
  readonly restarts?: boolean;
}

/** A facilitator as operators run it, in a process that is killed, stopped, frozen and started again. */
export class Instance {
  readonly name: string;
  /** Where it answers; `undefined` while it is down. */
  url: string | undefined;
  starts = 0;
  /** Starts that failed because a ledger or a database did not answer. */
  spoiltStarts = 0;
  /** What it printed when it ended although nobody had ended it. */
  readonly deaths: string[] = [];
  readonly #folder: string;
  readonly #arguments: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #process: CliProcess | undefined;
  #clockOff = 0;

  constructor(
    name: string,
    folder: string,
    environment: Readonly<Record<string, string>>,
    { dataFolder = join(folder, name), restarts = true }: InstanceOptions = {},
  ) {
    this.name = name;
    this.#folder = folder;
    mkdirSync(dataFolder, { recursive: true });
    this.#arguments = restarts ? [] : ['--no-restart'];
    this.#environment = {
      ...environment,
      SVC_X402_DATA_DIR: dataFolder,
      PORT: '0',
      CLOCK_STEP_FILE: join(folder, `${name}.clock`),
      NODE_OPTIONS: `--import=${clockModule}`,
    };
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, again and again until it answers. */
  async start(): Promise<void> {
    for (;;) {
      this.#process = new CliProcess(
        ['facilitator', '--json', '--log-level', 'silent', ...this.#arguments],
        this.#environment,
      );
      try {
        const { facilitatorUrl } = await this.#process.event('serving');
        this.starts++;
        this.url = String(facilitatorUrl);
        void this.#mourn(this.#process);
        return;
      } catch {
        this.spoiltStarts++;
        await pause(AGAIN_MS);
      }
    }
  }

  async kill(): Promise<void> {
    const ending = this.#process;
    this.url = undefined;
    this.#process = undefined;
    await ending?.stop('SIGKILL');
  }

  /** Ends it as an operator does, and waits only for a limited time. */
  async stop(): Promise<void> {
    const ending = this.#process;
    this.url = undefined;
    this.#process = undefined;
    const timer = setTimeout(() => void ending?.stop('SIGKILL'), LONGEST_STOP_MS);
    await ending?.stop('SIGTERM');
    clearTimeout(timer);
  }

  /** Notes an end that nobody has asked for, and starts it again as its supervisor would. */
  async #mourn(one: CliProcess): Promise<void> {
    const { code, stderr } = await one.ended;
    if (this.#process !== one) return;
    this.url = undefined;
    this.deaths.push(`${this.name} ended by itself with ${code}: ${stderr.slice(-2_000)}`);
    await this.start();
  }

  /** Stalls the whole process; it does not notice, and requests to it wait. */
  async freeze(milliseconds: number): Promise<void> {
    const one = this.#process;
    if (one === undefined) return;
    one.signal('SIGSTOP');
    await pause(milliseconds);
    one.signal('SIGCONT');
  }

  /** Puts its wall clock off by so much from the machine's, now and after a restart. */
  setClock(millisecondsOff: number): void {
    this.#clockOff = millisecondsOff;
    writeFileSync(join(this.#folder, `${this.name}.clock`), `${this.#clockOff}`);
    if (this.url !== undefined) this.#process?.signal('SIGUSR2');
  }
}
