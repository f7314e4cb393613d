import { readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatServiceFile,
  isProcessAlive,
  parseServiceFile,
  SERVICE_FILE_NAME,
  type ServiceFile,
} from '../machine/index.ts';

/**
 * The service that runs with this data folder now, if one does. Its process has to be there, and to
 * answer: ids of processes that were killed are given to others.
 */
export async function runningService(folder: string): Promise<ServiceFile | undefined> {
  const service = read(folder);
  if (!service || service.pid === process.pid) return undefined;
  if (!isProcessAlive(service.pid, process.kill)) return undefined;
  const address = service.facilitatorUrl ?? service.network.rpcUrl;
  return (await answers(address)) ? service : undefined;
}

/** Whether somebody speaks HTTP there, whatever is said. */
function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
}

/** Tells every part of the product where this process serves. Written whole, or not at all. */
export async function writeServiceFile(folder: string, service: ServiceFile): Promise<void> {
  const path = join(folder, SERVICE_FILE_NAME);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, formatServiceFile(service), { mode: 0o600 });
  await rename(draft, path);
}

/** Takes the file away when it is this process's. Synchronous, so that it works at exit too. */
export function removeServiceFile(folder: string): void {
  if (read(folder)?.pid === process.pid) rmSync(join(folder, SERVICE_FILE_NAME), { force: true });
}

function read(folder: string): ServiceFile | undefined {
  try {
    return parseServiceFile(readFileSync(join(folder, SERVICE_FILE_NAME), 'utf8'));
  } catch {
    return undefined;
  }
}
