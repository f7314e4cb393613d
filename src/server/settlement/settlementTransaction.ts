import * as xdr from '@stellar/stellar-sdk/xdr';
import type { SimulationSuccess } from '../network/index.ts';
import type { Signer } from './signer.ts';

/** A fee bump counts as one operation more than the transaction inside (CAP-15). */
const FEE_BUMP_OPERATIONS = 2n;

/**
 * Returns the sponsor's total bid for a settlement, in stroops: the resource fee of the simulation
 * and an inclusion fee for each of the two operations (spec: Limits/Fee ceiling compares this).
 */
export function totalBid(minResourceFee: bigint, inclusionFee: bigint): bigint {
  return minResourceFee + FEE_BUMP_OPERATIONS * inclusionFee;
}

/**
 * Returns the resource fee of a settlement, in stroops. A simulation names it twice, and the
 * transaction has the one in its data: the higher one counts.
 */
export function resourceFeeOf({
  minResourceFee,
  transactionData: { resourceFee },
}: Pick<SimulationSuccess, 'minResourceFee' | 'transactionData'>): bigint {
  if (resourceFee > minResourceFee) return resourceFee;
  return minResourceFee;
}

/**
 * Returns the inclusion bid per operation: the fee that others pay, limited by the ceiling of the total
 * bid, and never below the minimum (upstream #3491: 100 stroops miss a busy ledger). All in stroops.
 */
export function inclusionFeeWithin(fees: {
  readonly least: bigint;
  /** Fee that others pay; 0 if unknown. */
  readonly others: bigint;
  readonly ceiling: bigint;
  readonly resourceFee: bigint;
}): bigint {
  const { least, others, ceiling, resourceFee } = fees;
  const room = (ceiling - resourceFee) / FEE_BUMP_OPERATIONS;
  if (room <= least || others <= least) return least;
  return others < room ? others : room;
}

/** The parts of a settlement's inner transaction. */
export interface InnerTransactionParts {
  readonly channel: Signer;
  readonly sequence: bigint;
  readonly operation: xdr.Operation;
  readonly resources: xdr.SorobanTransactionData;
  readonly inclusionFee: bigint;
  /** Last ledger that may include it. After that ledger, its absence proves that it was never included. */
  readonly lastLedger: number;
}

/**
 * Returns the condition that no ledger after `lastLedger` includes the transaction. It uses ledgers, not
 * times: the ledger's clock may differ from ours, and an embedded ledger may run ahead of it.
 */
export function ledgerBounded(lastLedger: number): xdr.Preconditions {
  return xdr.Preconditions.precondV2(
    new xdr.PreconditionsV2({
      timeBounds: null,
      ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: lastLedger + 1 }),
      minSeqNum: null,
      minSeqAge: 0n,
      minSeqLedgerGap: 0,
      extraSigners: [],
    }),
  );
}

/**
 * Returns the buyer's operation on a channel account for simulation, without resources, which the
 * simulation determines, and without conditions, which it ignores.
 */
export function draftTransaction(
  parts: Pick<InnerTransactionParts, 'channel' | 'sequence' | 'operation'>,
): xdr.Transaction {
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(parts.channel.publicKey),
    fee: 100,
    seqNum: parts.sequence,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [parts.operation],
    ext: xdr.TransactionExt.v0(),
  });
}

/**
 * Returns the buyer's operation on a channel account. Nothing else of the buyer's envelope is kept: nobody
 * signed its memo, fee and conditions.
 */
export function innerTransaction(parts: InnerTransactionParts): xdr.Transaction {
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(parts.channel.publicKey),
    fee: Number(parts.resources.resourceFee + parts.inclusionFee),
    seqNum: parts.sequence,
    cond: ledgerBounded(parts.lastLedger),
    memo: xdr.Memo.memoNone(),
    operations: [parts.operation],
    ext: xdr.TransactionExt.sorobanData(parts.resources),
  });
}
