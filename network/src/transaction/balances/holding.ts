import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn, LedgerView } from '../../state/index.ts';
import {
  accountAvailableBalance,
  accountBuyingLiabilities,
  accountMaxReceive,
  accountSellingLiabilities,
  addAccountBalance,
  addAccountBuyingLiabilities,
  addAccountSellingLiabilities,
} from './accountBalance.ts';
import { isIssuer, trustLineAssetOf } from './asset.ts';
import {
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
import { INT64_MAX } from './int64.ts';
import {
  addTrustlineBalance,
  addTrustlineBuyingLiabilities,
  addTrustlineSellingLiabilities,
  trustlineAvailableBalance,
  trustlineBuyingLiabilities,
  trustlineMaxReceive,
  trustlineSellingLiabilities,
} from './trustlineBalance.ts';

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
