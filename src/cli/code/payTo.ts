import { USDC_ISSUER, whyNotPayable } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import type { Report } from '../report.ts';
import type { AddCommand } from './codeOptions.ts';
import { createAccount, payableHere, prepareRecipient } from './localAccounts.ts';

/**
 * Returns the address to pay, after checking it on this machine's network, so that no endpoint is written that nobody can pay. On
 * the embedded network, what the address lacks is created.
 * @param folder data folder of the service whose network is asked; default: the usual one
 * @throws CliError if the account or its trustline is missing there
 */
export async function checkedPayTo(
  { payTo, unchecked }: Pick<AddCommand, 'payTo' | 'unchecked'>,
  report: Report,
  folder?: string,
): Promise<string> {
  if (payTo === 'new') {
    const { address, secret } = await createAccount(folder);
    report.say(
      `Account created on the embedded network, with a trustline to USDC:\n  address  ${address}\n  secret   ${secret}\nKeep the secret: it is not stored.`,
      'account',
      { address, secret },
    );
    return address;
  }
  const address = payTo.trim();
  if (unchecked) return address;
  // On the embedded network nobody else could do it, and an endpoint that nobody can pay is of no use.
  if (address !== USDC_ISSUER && (await prepareRecipient(address, folder))) {
    report.say(
      `${address} can be paid on the network on this machine now: it was given an account there, or a trustline to USDC.`,
      'recipient',
      { address },
    );
  }
  const reason = whyNotPayable(await payableHere(address, folder), 'the network that runs here');
  if (reason !== undefined && address !== USDC_ISSUER) {
    throw new CliError(
      'failed',
      `${address} ${reason}. Run \`svc-x402 fund ${address}\`, use --pay-to new, or add --unchecked if it is on another network. Nothing was written.`,
    );
  }
  return address;
}
