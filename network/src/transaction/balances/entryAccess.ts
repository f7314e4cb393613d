import { xdr } from '@stellar/stellar-sdk';
import {
  accountKeyId,
  type LedgerKeyId,
  type LedgerTxn,
  type LedgerView,
  liquidityPoolKeyId,
  trustlineKeyId,
} from '../../state/index.ts';
import { trustLineAssetOf } from './asset.ts';
import { LedgerFault } from './ledgerFault.ts';

/** An account, recorded as touched. */
export function loadAccount(ltx: LedgerTxn, id: xdr.PublicKey): xdr.AccountEntry | undefined {
  return accountIn(ltx.load(accountKeyId(id)));
}

/** An account that must exist, recorded as touched. */
export function mustLoadAccount(ltx: LedgerTxn, id: xdr.PublicKey): xdr.AccountEntry {
  const account = loadAccount(ltx, id);
  if (account === undefined) throw new LedgerFault('account_missing');
  return account;
}

/** An account, read without recording it. */
export function peekAccount(view: LedgerView, id: xdr.PublicKey): xdr.AccountEntry | undefined {
  return accountIn(view.peek(accountKeyId(id)));
}

/** Stores a changed account without changing its sponsor. */
export function updateAccount(ltx: LedgerTxn, account: xdr.AccountEntry): void {
  putData(ltx, accountKeyId(account.accountId), xdr.LedgerEntryData.account(account));
}

/** A trustline, recorded as touched. */
export function loadTrustlineEntry(
  ltx: LedgerTxn,
  account: xdr.PublicKey,
  asset: xdr.TrustLineAsset,
): xdr.TrustLineEntry | undefined {
  return trustlineIn(ltx.load(trustlineKeyId(account, asset)));
}

/** A trustline, read without recording it. */
export function peekTrustlineEntry(
  view: LedgerView,
  account: xdr.PublicKey,
  asset: xdr.TrustLineAsset,
): xdr.TrustLineEntry | undefined {
  return trustlineIn(view.peek(trustlineKeyId(account, asset)));
}

/** Stores a changed trustline without changing its sponsor. */
export function updateTrustline(ltx: LedgerTxn, line: xdr.TrustLineEntry): void {
  putData(ltx, trustlineKeyId(line.accountId, line.asset), xdr.LedgerEntryData.trustline(line));
}

/** The key id of an account's trustline to an asset that is not a pool share. */
export function assetLineKeyId(account: xdr.PublicKey, asset: xdr.Asset): LedgerKeyId {
  return trustlineKeyId(account, trustLineAssetOf(asset));
}

/** A liquidity pool, recorded as touched. */
export function loadPool(ltx: LedgerTxn, id: xdr.PoolId): xdr.LiquidityPoolEntry | undefined {
  const entry = ltx.load(liquidityPoolKeyId(id));
  return entry?.data.type === 'liquidityPool' ? entry.data.liquidityPool : undefined;
}

/** Stores a changed liquidity pool. */
export function updatePool(ltx: LedgerTxn, pool: xdr.LiquidityPoolEntry): void {
  putData(ltx, liquidityPoolKeyId(pool.liquidityPoolId), xdr.LedgerEntryData.liquidityPool(pool));
}

/** A new entry without a sponsor. The ledger that records it sets its sequence. */
export function newEntry(data: xdr.LedgerEntryData): xdr.LedgerEntry {
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() });
}

function putData(ltx: LedgerTxn, id: LedgerKeyId, data: xdr.LedgerEntryData): void {
  const entry = ltx.peek(id);
  ltx.update(entry === undefined ? newEntry(data) : new xdr.LedgerEntry({ ...entry, data }));
}

function accountIn(entry: xdr.LedgerEntry | undefined): xdr.AccountEntry | undefined {
  return entry?.data.type === 'account' ? entry.data.account : undefined;
}

function trustlineIn(entry: xdr.LedgerEntry | undefined): xdr.TrustLineEntry | undefined {
  return entry?.data.type === 'trustline' ? entry.data.trustLine : undefined;
}
