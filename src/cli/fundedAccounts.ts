import type { AccountsOption, LocalAccount } from '../../network/src/index.ts';
import { CliError } from './cliError.ts';
import type { NetworkOptions } from './commandOptions.ts';
import { columns, type Report } from './report.ts';

const DEFAULT_XLM = '10000';

/**
 * Reads `--accounts` and `--balance`; the network checks the numbers.
 * @throws CliError if `--balance` is given alone
 */
export function accountsOption({
  accounts,
  balance,
}: NetworkOptions): Required<AccountsOption> | undefined {
  if (accounts !== undefined) {
    const count = /^\d{1,9}$/.test(accounts) ? Number(accounts) : Number.NaN;
    return { count, balance: balance ?? DEFAULT_XLM };
  }
  if (balance === undefined) return undefined;
  throw new CliError('usage', '--balance needs --accounts: it is the balance of each account.');
}

/** Prints funded accounts with their secrets, only on stdout and never in the log. */
export function printAccounts(
  accounts: readonly LocalAccount[],
  { balance }: Required<AccountsOption>,
  report: Report,
): void {
  const rows = columns(accounts.map(({ address, secret }) => [address, secret]));
  const text = `\nFunded accounts, with ${balance} XLM each when created\n\n${rows}

  Anyone who knows the seed can derive these keys. Use them on this network only.`;
  report.say(text, 'accounts', { balance, accounts });
}
