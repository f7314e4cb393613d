import type { xdr } from '@stellar/stellar-sdk';
import {
  accountIdString,
  type LedgerTxn,
  type LedgerView,
  type TransientKey,
} from '../../state/index.ts';

/**
 * Notes the highest sequence number that a transaction of this ledger uses for an account. It is
 * known for every source of a ledger's transactions before the first is applied, and keeps an
 * account from being merged away under a transaction that still waits (CAP-21).
 */
export function setMaxSeqNumToApply(ltx: LedgerTxn, account: xdr.PublicKey, seqNum: bigint): void {
  ltx.setTransient(key(account), seqNum);
}

/** The highest sequence number that this ledger uses for an account, where that was noted. */
export function maxSeqNumToApply(view: LedgerView, account: xdr.PublicKey): bigint | undefined {
  const seqNum = view.transient(key(account));
  return typeof seqNum === 'bigint' ? seqNum : undefined;
}

function key(account: xdr.PublicKey): TransientKey {
  return `max sequence of ${accountIdString(account)}` as TransientKey;
}
