import type { xdr } from '@stellar/stellar-sdk';

/** The preconditions of a transaction (CAP-21), in a single form. */
export interface TransactionPreconditions {
  readonly timeBounds: xdr.TimeBounds | null;
  readonly ledgerBounds: xdr.LedgerBounds | null;
  readonly minSeqNum: bigint | null;
  /** Seconds since the account's sequence number last changed. */
  readonly minSeqAge: bigint;
  /** Ledgers since the account's sequence number last changed. */
  readonly minSeqLedgerGap: number;
  readonly extraSigners: readonly xdr.SignerKey[];
}

/** No preconditions. */
export const NO_PRECONDITIONS: TransactionPreconditions = {
  timeBounds: null,
  ledgerBounds: null,
  minSeqNum: null,
  minSeqAge: 0n,
  minSeqLedgerGap: 0,
  extraSigners: [],
};

/** Preconditions with only time bounds, or none at all. */
export function timeBoundsOnly(timeBounds: xdr.TimeBounds | null): TransactionPreconditions {
  return timeBounds === null ? NO_PRECONDITIONS : { ...NO_PRECONDITIONS, timeBounds };
}

export function preconditionsOf(cond: xdr.Preconditions): TransactionPreconditions {
  switch (cond.type) {
    case 'precondNone':
      return NO_PRECONDITIONS;
    case 'precondTime':
      return timeBoundsOnly(cond.timeBounds);
    case 'precondV2':
      return cond.v2;
  }
}
