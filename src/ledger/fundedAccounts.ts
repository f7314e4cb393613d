import { parseDecimalAmount } from '../protocol/index.ts';
import type { FundedAccount } from './control/index.ts';
import type { GenesisKeys, LocalKey } from './genesis/index.ts';
import type { AccountsOption } from './ledgerOptions.ts';

const MOST_ACCOUNTS = 1_000;
const UNIT = 10_000_000n;
/** With as many accounts as there can be, far below the coins that a header can count. */
const MOST_XLM = 100_000_000n;

/** The key of an account that is funded at the start, and what it holds then. */
export interface KeptAccount extends FundedAccount {
  readonly key: LocalKey;
}

/**
 * Derives the accounts that an option asks for.
 * @throws RangeError when there are too many, or an account would hold too little or too much
 */
export function fundedAccounts(
  keys: GenesisKeys,
  option: AccountsOption | undefined,
): readonly KeptAccount[] {
  if (option === undefined) return [];
  const { count, balance = '10000' } = option;
  if (!Number.isInteger(count) || count < 1 || count > MOST_ACCOUNTS) {
    throw new RangeError(
      `The number of accounts must be a whole number from 1 to ${MOST_ACCOUNTS}.`,
    );
  }
  const stroops = parseDecimalAmount(balance);
  if (stroops === undefined || stroops < UNIT || stroops > MOST_XLM * UNIT) {
    throw new RangeError(
      `The balance of an account must be from 1 to ${MOST_XLM} XLM, with at most 7 decimal places.`,
    );
  }
  return Array.from({ length: count }, (_, index) => {
    const key = keys.funded(index);
    return { key, publicKey: key.publicKey, balance: stroops };
  });
}
