import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive, makeFolder } from '../../machine/index.ts';

/**
 * Each window that uses the service creates a file named after its process. The service exits when all of these processes have
 * ended; the last window to close stops it immediately.
 */
export interface WindowLease {
  /** Whether other windows also use the service. */
  othersRemain(): boolean;
  release(): void;
}

/** The folder of the leases, inside the folder shared by the windows. */
export function leasesFolder(folder: string): string {
  return join(folder, 'windows');
}

export function leaseWindow(folder: string, pid: number = process.pid): WindowLease {
  const leases = leasesFolder(folder);
  makeFolder(leases);
  const own = String(pid);
  writeFileSync(join(leases, own), '');
  return {
    othersRemain: () =>
      readdirSync(leases).some(
        (name) => name !== own && isProcessAlive(Number(name), process.kill),
      ),
    release: () => rmSync(join(leases, own), { force: true }),
  };
}
