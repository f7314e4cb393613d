import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { isProcessAlive } from '../machine/index.ts';
import type { Logger } from '../server/index.ts';
import { CliError } from './cliError.ts';
import type { CommonOptions } from './commandOptions.ts';
import { openDataFolder } from './dataFolder.ts';
import { FAULT_STATUS, openFaultBoundary } from './faultBoundary.ts';
import { launcherEnded } from './launcher.ts';
import { LOG_LEVELS, type LogLevel } from './logLevel.ts';
import { createReport, type Report } from './report.ts';
import { runningService } from './serviceFile.ts';

/** Milliseconds before the first restart, doubled for each one that follows soon. */
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** A service that ran this long counts as working, so the next restart is quick again. */
const WORKS_AFTER_MS = 60_000;

/** Exit statuses of a process that nobody stopped: an unhandled error, and crashes of Node itself. */
const CRASHES: ReadonlySet<unknown> = new Set([
  'SIGABRT',
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGTRAP',
]);

/**
 * Runs the same command again as a child, and restarts it after growing pauses if a fault ends it. This process keeps its pid
 * and forwards requests to stop.
 * @param extra arguments only for the child
 * @returns the exit status of the last child
 */
async function keepRestarting(
  extra: readonly string[],
  say: (text: string) => void,
): Promise<number> {
  const { spawn } = await import('node:child_process');
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort();
      child?.kill(signal);
    });
  }
  void launcherEnded(process.env).then(() => {
    stop.abort();
    child?.kill('SIGTERM');
  });
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_MS)) {
    say(`Restarting in ${waitMs / 1_000} s. Use --no-restart to leave that to a supervisor.`);
    await pause(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return 0;
    const begun = performance.now();
    const args = [...process.execArgv, ...process.argv.slice(1), '--no-restart', ...extra];
    child = spawn(process.execPath, args, { stdio: 'inherit' });
    const { code, signal } = await ended(child);
    if (stop.signal.aborted) return code ?? 0;
    if (code !== FAULT_STATUS && !CRASHES.has(signal)) return code ?? 1;
    if (performance.now() - begun > WORKS_AFTER_MS) waitMs = FIRST_MS / 2;
  }
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function ended(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: FAULT_STATUS, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves at the first Ctrl-C or request to end. A second one, from a user who does not want to wait, ends the process
 * immediately.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0;
    const onSignal = () => {
      const now = performance.now();
      // A terminal and the package manager may both deliver the same Ctrl-C.
      if (asked > 0 && now - asked > 500) process.exit(130);
      asked ||= now;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}

interface Closable {
  close(): Promise<void> | void;
}

/** Everything that a command has opened, closed in reverse order however the command ends. */
export class Closers {
  readonly #open: Closable[] = [];

  add<T extends Closable>(closable: T): T {
    this.#open.push(closable);
    return closable;
  }

  /** Closes everything, even if some of it fails, and then throws the first failure. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      try {
        await next.close();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

export interface Session {
  readonly folder: string;
  readonly logger: Logger;
  readonly report: Report;
  readonly closers: Closers;
  /**
   * Resolves when the user asks to stop, the editor or `npx` that started the service has ended, or a fault occurred.
   */
  readonly stopped: Promise<void>;
  /** Ends the command with an error: `stopped` rejects. */
  readonly fail: (error: unknown) => void;
}

interface SessionOptions {
  /** Whether the command is restarted after an unhandled error. */
  readonly restart?: boolean;
  /** Additional arguments for the restarted command. */
  readonly restartArguments?: readonly string[];
}

/**
 * Runs one command that serves: opens the data folder, and at the end always closes everything that
 * the command opened. An unhandled error ends it the same way, and restarts it if the command has `restart`.
 */
export async function inSession(
  options: CommonOptions & SessionOptions,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const { json = false, logLevel = json ? 'info' : 'warn' } = options;
  const closers = new Closers();
  const logger = await createLogger(json, logLevel);
  const boundary = openFaultBoundary(logger);
  let fail: Session['fail'] = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const session: Session = {
    fail,
    folder: await openDataFolder(options.dataDir),
    logger,
    report: createReport(json, (text) => stdout.write(text)),
    closers,
    stopped: Promise.race([
      stopSignal(),
      leasesEnded(process.env['SVC_X402_LEASES']),
      launcherEnded(process.env),
      boundary.occurred,
      failed,
    ]),
  };
  try {
    await run(session);
  } finally {
    await closers.closeAll();
  }
  try {
    boundary.rethrow();
  } catch (error) {
    if (!options.restart) throw error;
    const say = (text: string) => session.report.say(text, 'restarting', {});
    process.exitCode = await keepRestarting(options.restartArguments ?? [], say);
  }
}

/** @throws CliError if another service runs with this data folder, because both would write to its ledger */
export async function requireFolderFree({ folder }: Session): Promise<void> {
  const other = await runningService(folder);
  if (!other) return;
  const address = other.facilitatorUrl ?? other.network.rpcUrl;
  throw new CliError(
    'usage',
    `A service is already running with ${folder}: process ${other.pid}, ${address}. ` +
      'Stop it, or name another folder with --data-dir.',
  );
}

/**
 * Resolves when an editor has no window left. The editor starts the service for its windows, and each
 * window leaves a file in one folder, named after its process. How the processes ended does not matter.
 * @param folder `SVC_X402_LEASES`; never resolves without it
 */
export function leasesEnded(folder: string | undefined, everyMs = 2_000): Promise<void> {
  return new Promise((resolve) => {
    if (!folder) return;
    let without = 0;
    const timer = setInterval(() => {
      // Checked twice in a row, because a reloading window is gone for a moment.
      without = anyAlive(folder) ? 0 : without + 1;
      if (without < 2) return;
      clearInterval(timer);
      resolve();
    }, everyMs);
    timer.unref();
  });
}

function anyAlive(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => isProcessAlive(Number(name), process.kill));
  } catch {
    return false;
  }
}

/** Logs go to stderr: JSON for programs, or lines for people. */
async function createLogger(json: boolean, level: LogLevel): Promise<Logger> {
  if (json) {
    const { destination, pino } = await import('pino');
    const log = pino({ level, base: null }, destination({ dest: 2, sync: true }));
    return {
      debug: (fields, message) => log.debug(fields, message),
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
    };
  }
  const from = LOG_LEVELS.indexOf(level);
  const write = (name: LogLevel) => (fields: object, message: string) => {
    if (LOG_LEVELS.indexOf(name) < from) return;
    process.stderr.write(`${clock()} ${name.padEnd(5)} ${message}${words(fields)}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function clock(): string {
  return new Date().toISOString().slice(11, 23);
}

function words(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : text(value)}`)
    .join('');
}

function text(value: unknown): string {
  if (value instanceof Error) return value.message;
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? inner.toString() : inner,
  );
}
