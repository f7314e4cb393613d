import type { xdr } from '@stellar/stellar-sdk';

/**
 * The sequence number that an account gets when it is created in this ledger: the ledger's number
 * in the upper half, so that a recreated account cannot reuse numbers of its former life.
 */
export function startingSequence(header: xdr.LedgerHeader): bigint {
  return BigInt(header.ledgerSeq) << 32n;
}
