import type { xdr } from '@stellar/stellar-sdk';
import type { ParsedTransaction } from '../../transaction/index.ts';
import { byBid, perOperationBid } from './bids.ts';

/** The transactions that a phase includes, and what they pay. */
export interface Chosen {
  readonly transactions: readonly ParsedTransaction[];
  /** Stroops per operation. */
  readonly baseFee: bigint;
}

/**
 * Chooses the classic transactions with the highest bids, up to the number of operations that a ledger holds. If any do not
 * fit, all the chosen ones pay the lowest bid among them (stellar-core `SurgePricingUtils.cpp`).
 */
export function chooseClassic(
  waiting: readonly ParsedTransaction[],
  header: xdr.LedgerHeader,
): Chosen {
  const transactions: ParsedTransaction[] = [];
  let operations = 0;
  let crowded = false;
  for (const tx of [...waiting].sort(byBid)) {
    if (operations + tx.operationCount > header.maxTxSetSize) {
      crowded = true;
      continue;
    }
    operations += tx.operationCount;
    transactions.push(tx);
  }
  return { transactions, baseFee: baseFeeOf(transactions, crowded, header) };
}

export function baseFeeOf(
  chosen: readonly ParsedTransaction[],
  crowded: boolean,
  header: xdr.LedgerHeader,
): bigint {
  const network = BigInt(header.baseFee);
  if (!crowded) return network;
  return (
    chosen.reduce<bigint | undefined>((lowest, tx) => {
      const bid = perOperationBid(tx);
      return lowest === undefined || bid < lowest ? bid : lowest;
    }, undefined) ?? network
  );
}
