import * as xdr from '@stellar/stellar-sdk/xdr';
import type { SimulationSuccess } from '../network/index.ts';
import type { Signer } from './signer.ts';

/** A fee bump counts as one operation more than the transaction inside (CAP-15). */
const FEE_BUMP_OPERATIONS = 2n;

/**
 * What the sponsor bids in all for a settlement, in stroops: the resource fee of the simulation
 * and an inclusion fee for each of the two operations (spec: Limits/Fee ceiling compares this).
 */
export function totalBid(minResourceFee: bigint, inclusionFee: bigint): bigint {
  return minResourceFee + FEE_BUMP_OPERATIONS * inclusionFee;
}

/**
 * The resource fee that a settlement carries, in stroops. A simulation names it twice, and the
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

/** What the inner transaction of a settlement is made of. */
export interface InnerTransactionParts {
  readonly channel: Signer;
  readonly sequence: bigint;
  readonly operation: xdr.Operation;
  readonly resources: xdr.SorobanTransactionData;
  readonly inclusionFee: bigint;
  /** Last ledger that may include it. After that ledger its absence is proof that it never was. */
  readonly lastLedger: number;
}

/**
 * The condition that no ledger after `lastLedger` includes the transaction. Ledgers, not times:
 * the ledger's clock need not be ours, and an embedded one may run ahead of it.
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
 * The buyer's operation on a channel account as simulation takes it: it asks for the resources, so
 * none are named, and it looks at no conditions.
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
 * The buyer's operation on a channel account. Nothing else of the buyer's envelope is kept: its
 * memo, fee and conditions were signed by nobody.
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
