import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isProcessAlive,
  parseServiceFile,
  SERVICE_FILE_NAME,
  type ServiceFile,
} from '../machine/index.ts';
import { t } from './words/index.ts';

export interface ServiceStatus {
  readonly sentence: string;
  readonly addresses: readonly { readonly name: string; readonly url: string }[];
}

/**
 * Reads the discovery file in `folder` and returns what is running. If the file's process no longer exists, a crash left the
 * file behind and nothing is running.
 */
export async function readServiceStatus(folder: string): Promise<ServiceStatus> {
  const text = await readFile(join(folder, SERVICE_FILE_NAME), 'utf8').catch(() => undefined);
  const service = text === undefined ? undefined : parseServiceFile(text);
  if (!service || !isProcessAlive(service.pid, process.kill)) {
    return {
      sentence: t('No local x402 service is running. Start one in a terminal with: svc-x402 dev'),
      addresses: [],
    };
  }
  const addresses = addressesOf(service);
  const place = service.network.embedded ? t('an embedded network') : service.network.id;
  const list = addresses.map(({ name, url }) => `${name} ${url}`).join(', ');
  return { sentence: t('The local x402 service is running on {0}: {1}.', place, list), addresses };
}

function addressesOf({ facilitatorUrl, network }: ServiceFile): ServiceStatus['addresses'] {
  const named = [
    { name: 'facilitator', url: facilitatorUrl },
    { name: 'RPC', url: network.rpcTlsUrl ?? network.rpcUrl },
    { name: 'Horizon', url: network.horizonUrl },
    { name: 'friendbot', url: network.friendbotUrl },
  ];
  return named.flatMap(({ name, url }) => (url === null ? [] : [{ name, url }]));
}
