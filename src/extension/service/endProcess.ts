import { isProcessAlive } from '../../machine/index.ts';
import { t } from '../words/index.ts';

/** Milliseconds that a service has for the settlements in flight. A killed one continues them at its next start. */
export const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Asks a process to end, and kills it if it is still there after `patienceMs`: a process that hangs, or is stopped, does not
 * hear the first signal. Resolves when it is gone.
 * @throws Error if it outlives both
 */
export async function endProcess(pid: number, patienceMs: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    for (let waited = 0; waited < patienceMs; waited += LOOK_EVERY_MS) {
      if (!isProcessAlive(pid, process.kill)) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
  throw new Error(t('The service does not end: process {0} is still there.', pid));
}
