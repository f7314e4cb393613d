import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataFolderPath, parseServiceFile, SERVICE_FILE_NAME } from '../machine/index.ts';
import { DEFAULT_FACILITATOR_PORT } from '../protocol/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the catalog's address: `FACILITATOR_URL`, otherwise the one in the local service's discovery
 * file, otherwise the default port of a local service. It is looked up for each call, so that a service
 * that is started or restarted later is found.
 */
export async function findFacilitatorUrl(environment: Environment): Promise<string> {
  const named = environment['FACILITATOR_URL'];
  if (named) return withoutSlash(named);
  const file = join(dataFolderPath(environment, homedir()), SERVICE_FILE_NAME);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const service = text === undefined ? undefined : parseServiceFile(text);
  return withoutSlash(service?.facilitatorUrl ?? `http://127.0.0.1:${DEFAULT_FACILITATOR_PORT}`);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
