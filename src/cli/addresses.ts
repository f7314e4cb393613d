import type { ServiceFile } from '../machine/index.ts';
import { columns } from './report.ts';

/** The addresses of a service, as text for people. */
export function describeAddresses(
  { facilitatorUrl, network }: Pick<ServiceFile, 'facilitatorUrl' | 'network'>,
  seller?: string,
): string {
  const rows: (readonly [string, string])[] = [];
  if (seller) rows.push(['paid API', seller]);
  if (facilitatorUrl) rows.push(['facilitator', facilitatorUrl]);
  rows.push(['RPC', network.rpcUrl]);
  if (network.rpcTlsUrl) rows.push(['RPC over TLS', network.rpcTlsUrl]);
  if (network.horizonUrl) rows.push(['Horizon', network.horizonUrl]);
  if (network.friendbotUrl) rows.push(['friendbot', network.friendbotUrl]);
  rows.push(['passphrase', network.passphrase]);
  const trust = network.certificateAuthorityFile
    ? `\n\n  For Node to trust the TLS address:\n  NODE_EXTRA_CA_CERTS=${network.certificateAuthorityFile}`
    : '';
  return `${columns(rows)}${trust}`;
}
