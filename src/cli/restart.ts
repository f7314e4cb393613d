import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { FAULT_STATUS } from './faultBoundary.ts';
import { launcherEnded } from './launcher.ts';

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
export async function keepRestarting(
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
