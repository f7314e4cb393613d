import type { ServiceFile } from '../machine/index.ts';
import { describeAddresses } from './addresses.ts';
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
