import { readdirSync } from 'node:fs';
import { isProcessAlive } from '../machine/index.ts';

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
