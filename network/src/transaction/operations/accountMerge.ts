import { xdr } from '@stellar/stellar-sdk';
import { accountKeyId, type LedgerTxn, startingSequence } from '../../state/index.ts';
import {
  accountOfMuxed,
  addAccountBalance,
  isAuthImmutable,
  loadAccount,
  maxSeqNumToApply,
  mustLoadAccount,
  numSponsoring,
  sameAccount,
  updateAccount,
} from '../balances/index.ts';
import { isSponsoringOthers, removeSigner, returnReserveOfEntry } from '../sponsorship/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';

const { AccountMergeResult } = xdr;

/**
 * Moves the entire native balance to another account and removes the source with its signers
 * (stellar-core `MergeOpFrame.cpp`).
 */
export const accountMerge: OperationRules<'accountMerge'> = {
  type: 'accountMerge',
  threshold: () => 'high',
  checkValid({ destination }, source) {
    return sameAccount(source, accountOfMuxed(destination))
      ? result(AccountMergeResult.accountMergeMalformed())
      : undefined;
  },
  apply,
};

function apply(ctx: OperationContext<'accountMerge'>): xdr.OperationResult {
  const { ltx, source } = ctx;
  const { destination } = ctx.body;
  const heir = accountOfMuxed(destination);
  if (loadAccount(ltx, heir) === undefined) {
    return result(AccountMergeResult.accountMergeNoAccount());
  }
  const account = mustLoadAccount(ltx, source);
  const failure = whyNotMerge(ltx, account);
  if (failure !== undefined) return result(failure);

  for (let index = account.signers.length - 1; index >= 0; index -= 1) {
    removeSigner(ltx, source, index);
  }
  const { balance } = account;
  const enriched = addAccountBalance(ltx.header, mustLoadAccount(ltx, heir), balance);
  if (enriched === undefined) return result(AccountMergeResult.accountMergeDestFull());
  updateAccount(ltx, enriched);

  const entry = ltx.load(accountKeyId(source));
  if (entry !== undefined) returnReserveOfEntry(ltx, entry, source);
  ltx.erase(accountKeyId(source));

  ctx.events.transfer(xdr.Asset.assetTypeNative(), ctx.muxedSource, destination, balance, {
    allowMuxedIdOrMemo: true,
  });
  return result(AccountMergeResult.accountMergeSuccess(balance));
}

function whyNotMerge(
  ltx: LedgerTxn,
  account: xdr.AccountEntry,
): xdr.AccountMergeResult | undefined {
  if (isAuthImmutable(account)) return AccountMergeResult.accountMergeImmutableSet();
  if (account.numSubEntries !== account.signers.length) {
    return AccountMergeResult.accountMergeHasSubEntries();
  }
  if (isSequenceTooFar(ltx, account)) return AccountMergeResult.accountMergeSeqnumTooFar();
  if (isSponsoringOthers(ltx, account.accountId) || numSponsoring(account) > 0) {
    return AccountMergeResult.accountMergeIsSponsor();
  }
  return undefined;
}

/** Merging is refused if recreating the account in this ledger would set its sequence number back. */
function isSequenceTooFar(ltx: LedgerTxn, account: xdr.AccountEntry): boolean {
  const start = startingSequence(ltx.header.ledgerSeq);
  const waiting = maxSeqNumToApply(ltx, account.accountId);
  return account.seqNum >= start || (waiting !== undefined && waiting >= start);
}

function result(inner: xdr.AccountMergeResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.accountMerge(inner));
}
