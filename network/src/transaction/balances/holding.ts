import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn, LedgerView } from '../../state/index.ts';
import {
  accountExtension,
  numSponsored,
  numSponsoring,
  withAccountLiabilities,
} from './accountExtension.ts';
import { isIssuer, trustLineAssetOf } from './asset.ts';
import {
  assertMayHold,
  isAuthorized,
  isAuthorizedToMaintainLiabilities,
  isClawbackEnabledOnLine,
} from './authorization.ts';
import {
  loadAccount,
  loadTrustlineEntry,
  peekAccount,
  peekTrustlineEntry,
  updateAccount,
  updateTrustline,
} from './entryAccess.ts';
import { addWithin, INT64_MAX } from './int64.ts';
import { LedgerFault } from './ledgerFault.ts';
import { trustlineLiabilities, withTrustlineLiabilities } from './trustlineExtension.ts';

/**
 * Where an account holds an asset: the native asset in the account itself, its own asset nowhere (an issuer can send and
 * receive without limit), any other asset in a trustline. stellar-core calls the last two a `TrustLineWrapper`.
 */
export type Holding =
  | { readonly kind: 'native'; readonly account: xdr.AccountEntry }
  | { readonly kind: 'line'; readonly line: xdr.TrustLineEntry }
  | { readonly kind: 'issuer' };

const ISSUER: Holding = { kind: 'issuer' };

/** An account's holding of an asset, recorded as touched; undefined if the account or trustline does not exist. */
export function loadHolding(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  asset: xdr.Asset,
): Holding | undefined {
  if (asset.type === 'assetTypeNative') return ofAccount(loadAccount(ltx, owner));
  if (isIssuer(owner, asset)) return ISSUER;
  return ofLine(loadTrustlineEntry(ltx, owner, trustLineAssetOf(asset)));
}

/** An account's holding of an asset, read without recording it. */
export function peekHolding(
  view: LedgerView,
  owner: xdr.PublicKey,
  asset: xdr.Asset,
): Holding | undefined {
  if (asset.type === 'assetTypeNative') return ofAccount(peekAccount(view, owner));
  if (isIssuer(owner, asset)) return ISSUER;
  return ofLine(peekTrustlineEntry(view, owner, trustLineAssetOf(asset)));
}

/** Stores a changed holding. */
export function updateHolding(ltx: LedgerTxn, holding: Holding): void {
  if (holding.kind === 'native') updateAccount(ltx, holding.account);
  else if (holding.kind === 'line') updateTrustline(ltx, holding.line);
}

export function holdingBalance(holding: Holding): bigint {
  if (holding.kind === 'native') return holding.account.balance;
  return holding.kind === 'line' ? holding.line.balance : INT64_MAX;
}

/** The spendable amount: above reserve and selling liabilities. */
export function availableBalance(header: xdr.LedgerHeader, holding: Holding): bigint {
  if (holding.kind === 'native') return accountAvailableBalance(header, holding.account);
  return holding.kind === 'line' ? trustlineAvailableBalance(holding.line) : INT64_MAX;
}

/** The amount that can still be received: below limit and buying liabilities. */
export function maxAmountReceive(holding: Holding): bigint {
  if (holding.kind === 'native') return accountMaxReceive(holding.account);
  return holding.kind === 'line' ? trustlineMaxReceive(holding.line) : INT64_MAX;
}

export function buyingLiabilities(holding: Holding): bigint {
  if (holding.kind === 'native') return accountBuyingLiabilities(holding.account);
  return holding.kind === 'line' ? trustlineBuyingLiabilities(holding.line) : 0n;
}

export function sellingLiabilities(holding: Holding): bigint {
  if (holding.kind === 'native') return accountSellingLiabilities(holding.account);
  return holding.kind === 'line' ? trustlineSellingLiabilities(holding.line) : 0n;
}

/** The holding with `delta` added, or undefined if that breaks a bound. */
export function addBalance(
  header: xdr.LedgerHeader,
  holding: Holding,
  delta: bigint,
): Holding | undefined {
  if (holding.kind === 'native')
    return ofAccount(addAccountBalance(header, holding.account, delta));
  return holding.kind === 'line' ? ofLine(addTrustlineBalance(holding.line, delta)) : holding;
}

/** The holding with `delta` more buying liabilities, or undefined if that breaks a bound. */
export function addBuyingLiabilities(holding: Holding, delta: bigint): Holding | undefined {
  if (holding.kind === 'native') {
    return ofAccount(addAccountBuyingLiabilities(holding.account, delta));
  }
  return holding.kind === 'line'
    ? ofLine(addTrustlineBuyingLiabilities(holding.line, delta))
    : holding;
}

/** The holding with `delta` more selling liabilities, or undefined if that breaks a bound. */
export function addSellingLiabilities(
  header: xdr.LedgerHeader,
  holding: Holding,
  delta: bigint,
): Holding | undefined {
  if (holding.kind === 'native') {
    return ofAccount(addAccountSellingLiabilities(header, holding.account, delta));
  }
  return holding.kind === 'line'
    ? ofLine(addTrustlineSellingLiabilities(holding.line, delta))
    : holding;
}

/** True if the owner is allowed to send and receive the asset. */
export function isHoldingAuthorized(holding: Holding): boolean {
  return holding.kind === 'line' ? isAuthorized(holding.line) : true;
}

/** True if the owner is allowed to keep balance and offers. */
export function mayMaintainLiabilities(holding: Holding): boolean {
  return holding.kind === 'line' ? isAuthorizedToMaintainLiabilities(holding.line) : true;
}

/** True if the issuer is allowed to claw the asset back. */
export function isClawbackEnabled(holding: Holding): boolean {
  return holding.kind === 'line' && isClawbackEnabledOnLine(holding.line);
}

function ofAccount(account: xdr.AccountEntry | undefined): Holding | undefined {
  return account === undefined ? undefined : { kind: 'native', account };
}

function ofLine(line: xdr.TrustLineEntry | undefined): Holding | undefined {
  return line === undefined ? undefined : { kind: 'line', line };
}

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

export function trustlineBuyingLiabilities(line: xdr.TrustLineEntry): bigint {
  return trustlineLiabilities(line).buying;
}

export function trustlineSellingLiabilities(line: xdr.TrustLineEntry): bigint {
  return trustlineLiabilities(line).selling;
}

/** Balance above selling liabilities. Throws if the trustline is not authorized at all. */
export function trustlineAvailableBalance(line: xdr.TrustLineEntry): bigint {
  assertMayHold(line);
  return line.balance - trustlineSellingLiabilities(line);
}

/** How much more the trustline can receive. Throws if it is not authorized at all. */
export function trustlineMaxReceive(line: xdr.TrustLineEntry): bigint {
  assertMayHold(line);
  return line.limit - line.balance - trustlineBuyingLiabilities(line);
}

/** The lowest possible limit of the trustline: its balance plus its buying liabilities. */
export function trustlineMinimumLimit(line: xdr.TrustLineEntry): bigint {
  return line.balance + trustlineBuyingLiabilities(line);
}

/**
 * The trustline with `delta` added to its balance, or undefined if that violates its limit or liabilities. Throws if it is not
 * authorized at all.
 */
export function addTrustlineBalance(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  if (delta === 0n) return line;
  assertMayHold(line);
  return addTrustlineBalanceUnauthorized(line, delta);
}

/** Like `addTrustlineBalance`, for clawback, which is possible on an unauthorized trustline. */
export function addTrustlineBalanceUnauthorized(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  const balance = addWithin(line.balance, delta, line.limit);
  if (balance === undefined) return undefined;
  const { buying, selling } = trustlineLiabilities(line);
  if (balance < selling || balance > line.limit - buying) return undefined;
  return new xdr.TrustLineEntry({ ...line, balance });
}

/** The trustline with `delta` added to its buying liabilities, or undefined beyond its limit. */
export function addTrustlineBuyingLiabilities(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  if (delta === 0n) return line;
  assertMayHold(line);
  const before = trustlineBuyingLiabilities(line);
  const buying = addWithin(before, delta, line.limit - line.balance);
  return buying === undefined ? undefined : withTrustlineLiabilities(line, { buying });
}

/** The trustline with `delta` added to its selling liabilities, or undefined beyond its balance. */
export function addTrustlineSellingLiabilities(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  if (delta === 0n) return line;
  assertMayHold(line);
  const selling = addWithin(trustlineSellingLiabilities(line), delta, line.balance);
  return selling === undefined ? undefined : withTrustlineLiabilities(line, { selling });
}
