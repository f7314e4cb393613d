import { xdr } from '@stellar/stellar-sdk';
import {
  accountExtension,
  numSponsored,
  numSponsoring,
  withAccountLiabilities,
} from './accountExtension.ts';
import { addWithin, INT64_MAX } from './int64.ts';
import { LedgerFault } from './ledgerFault.ts';

/** One base reserve, in stroops. */
export function baseReserve(header: xdr.LedgerHeader): bigint {
  return BigInt(header.baseReserve);
}

/**
 * The balance below which an account must not fall: two reserves for itself, one for each
 * sub-entry and each entry it sponsors, less what others sponsor (CAP-33).
 */
export function minBalance(header: xdr.LedgerHeader, account: xdr.AccountEntry): bigint {
  const reserves = 2 + account.numSubEntries + numSponsoring(account) - numSponsored(account);
  if (reserves < 0) throw new LedgerFault('negative_reserve');
  return BigInt(reserves) * baseReserve(header);
}

export function accountBuyingLiabilities(account: xdr.AccountEntry): bigint {
  return accountExtension(account).liabilities.buying;
}

export function accountSellingLiabilities(account: xdr.AccountEntry): bigint {
  return accountExtension(account).liabilities.selling;
}

/** Native balance above reserve and selling liabilities. Negative if the reserve was raised. */
export function accountAvailableBalance(
  header: xdr.LedgerHeader,
  account: xdr.AccountEntry,
): bigint {
  return account.balance - minBalance(header, account) - accountSellingLiabilities(account);
}

/** How much more of the native asset an account can take. */
export function accountMaxReceive(account: xdr.AccountEntry): bigint {
  return INT64_MAX - account.balance - accountBuyingLiabilities(account);
}

/**
 * The account with `delta` added to its balance, or undefined if that breaks a bound: it must not go below reserve and selling
 * liabilities when paying, nor above what its buying liabilities leave. Receiving is allowed below the reserve.
 */
export function addAccountBalance(
  header: xdr.LedgerHeader,
  account: xdr.AccountEntry,
  delta: bigint,
): xdr.AccountEntry | undefined {
  if (delta === 0n) return account;
  const balance = addWithin(account.balance, delta);
  if (balance === undefined) return undefined;
  const { buying, selling } = accountExtension(account).liabilities;
  const reserve = minBalance(header, account);
  if (delta < 0n && balance - reserve < selling) return undefined;
  if (balance > INT64_MAX - buying) return undefined;
  return new xdr.AccountEntry({ ...account, balance });
}

/** The account with `delta` added to its buying liabilities, or undefined beyond its capacity. */
export function addAccountBuyingLiabilities(
  account: xdr.AccountEntry,
  delta: bigint,
): xdr.AccountEntry | undefined {
  if (delta === 0n) return account;
  const before = accountBuyingLiabilities(account);
  const buying = addWithin(before, delta, INT64_MAX - account.balance);
  return buying === undefined ? undefined : withAccountLiabilities(account, { buying });
}

/**
 * The account with `delta` added to its selling liabilities, or undefined if the balance above
 * the reserve does not cover them. Below the reserve, even a decrease is refused.
 */
export function addAccountSellingLiabilities(
  header: xdr.LedgerHeader,
  account: xdr.AccountEntry,
  delta: bigint,
): xdr.AccountEntry | undefined {
  if (delta === 0n) return account;
  const max = account.balance - minBalance(header, account);
  if (max < 0n) return undefined;
  const selling = addWithin(accountSellingLiabilities(account), delta, max);
  return selling === undefined ? undefined : withAccountLiabilities(account, { selling });
}
