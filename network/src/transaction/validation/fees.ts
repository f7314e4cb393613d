import type { xdr } from '@stellar/stellar-sdk';
import type { InnerTransaction, ParsedTransaction } from '../envelope/index.ts';

/** The largest resource fee that a transaction can declare, in stroops: about 112 million lumens. */
const MAX_RESOURCE_FEE = 1n << 50n;

/** The part of a bid that competes for inclusion in a ledger: the bid without the resource fee. */
export function inclusionFee(tx: ParsedTransaction): bigint {
  return tx.fee - tx.inner.resourceFee;
}

/** The minimum bid for a transaction's inclusion, in stroops. */
export function minInclusionFee(operationCount: number, header: xdr.LedgerHeader): bigint {
  return BigInt(header.baseFee) * BigInt(Math.max(1, operationCount));
}

/**
 * The fee charged for a transaction when its ledger is applied: its resource fee, plus the base fee of its component for each
 * operation, up to its bid. Without a base fee, its entire bid.
 */
export function feeToCharge(tx: ParsedTransaction, baseFee: bigint | null): bigint {
  if (baseFee === null) return tx.fee;
  const wanted = baseFee * BigInt(Math.max(1, tx.operationCount));
  const bid = inclusionFee(tx);
  return tx.inner.resourceFee + (bid < wanted ? bid : wanted);
}

/** The fee reported for a checked transaction: the network's base fee, however little it bid. */
export function feeAtBase(tx: ParsedTransaction, header: xdr.LedgerHeader): bigint {
  return tx.inner.resourceFee + minInclusionFee(tx.operationCount, header);
}

/** False if the fees of the envelope are missing or out of range. */
export function hasValidFee(tx: ParsedTransaction): boolean {
  if (tx.fee < 0n) return false;
  return !tx.isSoroban || hasValidResourceFee(tx.inner);
}

function hasValidResourceFee(inner: InnerTransaction): boolean {
  const declared = inner.sorobanData?.resourceFee;
  return declared !== undefined && declared >= 0n && declared <= MAX_RESOURCE_FEE;
}
