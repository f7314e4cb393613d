import type { ServiceFile } from '../machine/index.ts';
import { columns } from './report.ts';
import { removeServiceFile, writeServiceFile } from './serviceFile.ts';
import type { Session } from './session.ts';

type Addresses = Pick<ServiceFile, 'facilitatorUrl' | 'network'>;
/** Secrets for users who can read the file, and where the operator's one is used. */
type Secrets = Pick<ServiceFile, 'passkeyToken' | 'operatorToken' | 'operatorUrl'>;

/** Writes the discovery file for the other parts of the product, and removes it when the service stops. */
export async function leaveServiceFile(
  session: Session,
  addresses: Addresses,
  secrets: Secrets = {},
): Promise<void> {
  const token = process.env['SVC_X402_TOKEN'];
  await writeServiceFile(session.folder, {
    version: 1,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    ...addresses,
    policyGatewayUrl: addresses.facilitatorUrl,
    ...secrets,
    ...(token ? { token } : {}),
  });
  session.closers.add({ close: () => removeServiceFile(session.folder) });
}

/** Prints where the service answers, and that it runs until it is stopped. */
export function tellServing({ report }: Session, addresses: Addresses, seller?: string): void {
  const text = `\nServing until Ctrl-C\n\n${describeAddresses(addresses, seller)}`;
  report.say(text, 'serving', seller ? { ...addresses, seller } : addresses);
}

/** The addresses of a service, as text for people. */
function describeAddresses(
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
