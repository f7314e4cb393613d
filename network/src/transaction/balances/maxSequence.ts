import type { xdr } from '@stellar/stellar-sdk';
import {
  accountIdString,
  type LedgerTxn,
  type LedgerView,
  type TransientKey,
} from '../../state/index.ts';

/**
 * Records the highest sequence number that a transaction of this ledger uses for an account. It is recorded for every source of
 * the ledger's transactions before the first is applied, and prevents an account from being merged away while one of its
 * transactions is still to be applied (CAP-21).
 */
export function setMaxSeqNumToApply(ltx: LedgerTxn, account: xdr.PublicKey, seqNum: bigint): void {
  ltx.setTransient(key(account), seqNum);
}

/** The highest sequence number that this ledger uses for an account, if recorded. */
export function maxSeqNumToApply(view: LedgerView, account: xdr.PublicKey): bigint | undefined {
  const seqNum = view.transient(key(account));
  return typeof seqNum === 'bigint' ? seqNum : undefined;
}

function key(account: xdr.PublicKey): TransientKey {
  return `max sequence of ${accountIdString(account)}` as TransientKey;
}
