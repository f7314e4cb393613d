import { readFileSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatServiceFile,
  isProcessAlive,
  parseServiceFile,
  SERVICE_FILE_NAME,
  type ServiceFile,
} from '../machine/index.ts';

/** On a busy machine, a service can take seconds to answer. An unused port refuses immediately. */
const ANSWER_MS = 10_000;

/** Returns the service of another process that runs with this data folder, if any. */
export async function runningService(folder: string): Promise<ServiceFile | undefined> {
  const service = await anyService(folder);
  return service?.pid === process.pid ? undefined : service;
}

/**
 * Returns the service that runs with this data folder, in this process or in another one. Its process must exist and answer,
 * because the system reuses the ids of killed processes.
 */
export async function anyService(folder: string): Promise<ServiceFile | undefined> {
  const service = read(folder);
  if (!service) return undefined;
  if (!isProcessAlive(service.pid, process.kill)) return undefined;
  const address = service.facilitatorUrl ?? service.network.rpcUrl;
  return (await answers(address)) ? service : undefined;
}

/** Whether an HTTP server answers at a URL, with any status. */
function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  );
}

/** Writes the addresses of this process for every part of the product. Atomic; a failure leaves no draft behind. */
export async function writeServiceFile(folder: string, service: ServiceFile): Promise<void> {
  const path = join(folder, SERVICE_FILE_NAME);
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, formatServiceFile(service), { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    // On a full disk, each start would leave another draft.
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes the file if this process wrote it. Synchronous, so that it also works at exit. */
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
