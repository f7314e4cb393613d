import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longest line of a program. */
const MAX_LINE_BYTES = 10 << 20;
/** What waits for a program that does not read. */
const MAX_WAITING_BYTES = 32 << 20;
/** Of what a program writes beside messages, how much is logged. */
const MAX_LOGGED_LINES = 1_000;
const MAX_LOGGED_LENGTH = 500;
/** How long a program may take to end by itself, and after it was asked to. */
const END_MS = 2_000;
const NEWLINE = 0x0a;

/** Secrets of the proxy and of the local service, which other people's programs do not get. */
const KEPT_BACK = [
  ...[
    'PROXY_SECRET',
    'PROXY_RECEIPT_KEY',
    'DATABASE_URL',
    'SPONSOR_SECRET',
    'CHANNEL_SEED',
    'CHANNEL_SECRETS',
  ],
  ...['PAYER_SECRET', 'PAYER_SECRET_FILE'],
];

/** Where the lines go that are not messages. */
export interface ProcessLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

interface ProcessEvents {
  /** A line on stdout. */
  readonly onLine: (line: string) => void;
  /** It ended, or could not be started. */
  readonly onEnd: (why: string) => void;
  readonly log: ProcessLog;
}

/** A program that speaks over stdin and stdout, one message a line. */
export class McpProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #events: ProcessEvents;
  readonly #ended: Promise<void>;
  #pieces: Buffer[] = [];
  #length = 0;
  #logged = 0;
  #isEnded = false;

  /** Starts it. @param command one text is run by the shell */
  constructor(command: string | readonly string[], events: ProcessEvents) {
    this.#events = events;
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !KEPT_BACK.includes(name)),
    );
    const [program = '', ...rest] = typeof command === 'string' ? [command] : command;
    this.#child = spawn(program, rest, {
      env,
      shell: typeof command === 'string',
      stdio: 'pipe',
      // A group of its own, so that what it starts ends with it, and Ctrl-C reaches the proxy alone.
      detached: process.platform !== 'win32',
    });
    this.#ended = new Promise((resolve) => {
      const end = (why: string): void => {
        if (this.#isEnded) return;
        this.#isEnded = true;
        this.#signal('SIGKILL');
        resolve();
        events.onEnd(why);
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(`it ended with ${code ?? signal}`));
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (piece: Buffer) => this.#read(piece));
    this.#child.stderr.on('data', (piece: Buffer) => this.#note(piece.toString('utf8')));
  }

  /** Sends a message. @returns whether the program takes it */
  write(text: string): boolean {
    const { stdin } = this.#child;
    if (this.#isEnded || stdin.writableLength > MAX_WAITING_BYTES) return false;
    // One message is one line, whatever its reader takes for the end of one.
    const line = text
      .replace(/[\r\n]/g, ' ')
      .replace(
        /[\u0085\u2028\u2029]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    stdin.write(`${line}\n`);
    return true;
  }

  /** Closes its stdin; ends it, and what it started, if it does not end by itself. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    if (await this.#endsSoon()) return;
    this.#signal('SIGTERM');
    if (await this.#endsSoon()) return;
    this.#signal('SIGKILL');
    await this.#endsSoon();
  }

  async #endsSoon(): Promise<boolean> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), END_MS);
    await Promise.race([this.#ended, once(late.signal, 'abort')]);
    clearTimeout(timer);
    return this.#isEnded;
  }

  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // Nothing of it is left.
    }
  }

  #read(piece: Buffer): void {
    let rest = piece;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...this.#pieces, rest.subarray(0, end)]).toString('utf8');
      this.#pieces = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      if (line.trim() !== '') this.#events.onLine(line);
    }
    if (rest.length === 0) return;
    this.#pieces.push(rest);
    this.#length += rest.length;
    if (this.#length <= MAX_LINE_BYTES) return;
    this.#pieces = [];
    this.#length = 0;
    this.#events.log.warn({ maxBytes: MAX_LINE_BYTES }, 'the MCP server wrote too long a line');
    this.#signal('SIGKILL');
  }

  #note(text: string): void {
    for (const line of text.split(/\r?\n/)) {
      if (line.trim() === '' || this.#logged >= MAX_LOGGED_LINES) continue;
      this.#logged += 1;
      this.#events.log.info({ line: line.slice(0, MAX_LOGGED_LENGTH) }, 'the MCP server wrote');
    }
  }
}
