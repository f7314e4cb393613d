import type { xdr } from '@stellar/stellar-sdk';
import { startingSequence } from '../../state/index.ts';
import { accountExtensionV3 } from '../balances/index.ts';
import type { TransactionPreconditions } from '../envelope/index.ts';

/** The ledger against which a transaction is checked. */
export interface LedgerMoment {
  readonly ledgerSeq: number;
  /** The close time known for certain. */
  readonly closeTime: bigint;
  /** The latest close time at which the transaction might be applied. */
  readonly latestCloseTime: bigint;
}

/** @param ahead seconds by which close times are ahead of the clock that time bounds are compared with */
export function isTooEarly(
  preconditions: TransactionPreconditions,
  at: LedgerMoment,
  ahead = 0n,
): boolean {
  const { timeBounds, ledgerBounds } = preconditions;
  if (timeBounds !== null && timeBounds.minTime > at.closeTime - ahead) return true;
  return ledgerBounds !== null && ledgerBounds.minLedger > at.ledgerSeq;
}

/**
 * An upper bound of zero means none. The last valid ledger is the one before `maxLedger`.
 * @param ahead seconds by which close times are ahead of the clock that time bounds are compared with
 */
export function isTooLate(
  preconditions: TransactionPreconditions,
  at: LedgerMoment,
  ahead = 0n,
): boolean {
  const { timeBounds, ledgerBounds } = preconditions;
  const maxTime = timeBounds?.maxTime ?? 0n;
  if (maxTime !== 0n && maxTime < at.latestCloseTime - ahead) return true;
  return (
    ledgerBounds !== null && ledgerBounds.maxLedger !== 0 && ledgerBounds.maxLedger <= at.ledgerSeq
  );
}

/** True if the account's sequence number changed too recently for the transaction (CAP-21). */
export function isTooEarlyForAccount(
  { minSeqAge, minSeqLedgerGap }: TransactionPreconditions,
  at: LedgerMoment,
  account: xdr.AccountEntry,
): boolean {
  const changed = accountExtensionV3(account);
  return (
    at.closeTime - minSeqAge < (changed?.seqTime ?? 0n) ||
    at.ledgerSeq - minSeqLedgerGap < (changed?.seqLedger ?? 0)
  );
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * True if a transaction's sequence number does not follow the account's: the next one, or, with
 * `minSeqNum`, any higher one. The number with which a new account of this ledger would start is never valid.
 */
export function isBadSequence(
  seqNum: bigint,
  { minSeqNum }: TransactionPreconditions,
  accountSeqNum: bigint,
  ledgerSeq: number,
): boolean {
  if (seqNum === startingSequence(ledgerSeq)) return true;
  if (minSeqNum !== null) return accountSeqNum < minSeqNum || accountSeqNum >= seqNum;
  return accountSeqNum === INT64_MAX || accountSeqNum + 1n !== seqNum;
}
