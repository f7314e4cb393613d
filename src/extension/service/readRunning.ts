import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isProcessAlive,
  parseServiceFile,
  SERVICE_FILE_NAME,
  type ServiceFile,
} from '../../machine/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';

/** The service that uses this data folder and responds, if any. */
export async function readRunning(
  dataFolder: string,
  transport: HttpTransport,
): Promise<ServiceFile | undefined> {
  const service = await readServiceFile(dataFolder);
  if (service === undefined || service.facilitatorUrl === null) return undefined;
  if (!isProcessAlive(service.pid, process.kill)) return undefined;
  return (await isHealthy(service.facilitatorUrl, transport)) ? service : undefined;
}

/** What the last service that used this data folder wrote about itself, whether or not it is still there. */
export async function readServiceFile(dataFolder: string): Promise<ServiceFile | undefined> {
  const text = await readFile(join(dataFolder, SERVICE_FILE_NAME), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseServiceFile(text);
}

/** Whether `/health` returns 200. */
export async function isHealthy(
  facilitatorUrl: string,
  transport: HttpTransport,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await transport({
      method: 'GET',
      url: `${facilitatorUrl}/health`,
      signal,
    });
    return status === 200;
  } catch {
    return false;
  }
}
