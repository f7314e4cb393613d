import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive, makeFolder } from '../../machine/index.ts';

/**
 * Each window that uses the service leaves a file named after its process. The service ends itself
 * when all of these processes are gone; the last window to close ends it at once.
 */
export interface WindowLease {
  /** Whether other windows use the service too. */
  othersRemain(): boolean;
  release(): void;
}

/** The folder of the leases, within the folder that the windows share. */
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
