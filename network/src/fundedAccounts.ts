import { parseDecimalAmount } from '../../common/amount.ts';
import type { FundedAccount } from './control/index.ts';
import type { GenesisKeys, LocalKey } from './genesis/index.ts';
import type { AccountsOption } from './ledgerOptions.ts';

const MAX_ACCOUNTS = 1_000;
const UNIT = 10_000_000n;
/** Even with the maximum number of accounts, far below the number of coins that a header can count. */
const MAX_XLM = 100_000_000n;

/** The key of an account that is funded at the start, and its initial balance. */
export interface KeptAccount extends FundedAccount {
  readonly key: LocalKey;
}

/**
 * Derives the accounts that an option requests. @throws RangeError if the number of accounts or their balance is out of range
 */
export function fundedAccounts(
  keys: GenesisKeys,
  option: AccountsOption | undefined,
): readonly KeptAccount[] {
  if (option === undefined) return [];
  const { count, balance = '10000' } = option;
  if (!Number.isInteger(count) || count < 1 || count > MAX_ACCOUNTS) {
    throw new RangeError(
      `The number of accounts must be a whole number from 1 to ${MAX_ACCOUNTS}.`,
    );
  }
  const stroops = parseDecimalAmount(balance);
  if (stroops === undefined || stroops < UNIT || stroops > MAX_XLM * UNIT) {
    throw new RangeError(
      `The balance of an account must be from 1 to ${MAX_XLM} XLM, with at most 7 decimal places.`,
    );
  }
  return Array.from({ length: count }, (_, index) => {
    const key = keys.funded(index);
    return { key, publicKey: key.publicKey, balance: stroops };
  });
}
