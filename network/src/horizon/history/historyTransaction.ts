import { xdr } from '@stellar/stellar-sdk';
import type { ClosedLedger, ClosedTransaction } from '../../history/index.ts';
import { HistoryOperation, type OperationContext } from './historyOperation.ts';

/** A transaction of a closed ledger, split into its operations. */
export class HistoryTransaction implements OperationContext {
  readonly networkId: Uint8Array;
  readonly ledger: ClosedLedger;
  readonly transaction: ClosedTransaction;
  readonly source: xdr.MuxedAccount;
  readonly operations: readonly HistoryOperation[];

  constructor(networkId: Uint8Array, ledger: ClosedLedger, transaction: ClosedTransaction) {
    this.networkId = networkId;
    this.ledger = ledger;
    this.transaction = transaction;
    this.source = sourceOf(transaction.envelope);
    const { operations } = innerEnvelope(transaction.envelope).value.tx;
    this.operations = operations.map((operation, at) => new HistoryOperation(this, at, operation));
  }

  get results(): readonly xdr.OperationResult[] | undefined {
    const { result } = this.transaction.result;
    const inner =
      result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed'
        ? result.innerResultPair.result.result
        : result;
    return inner.type === 'txSuccess' || inner.type === 'txFailed' ? inner.results : undefined;
  }
}

/** Caches the split transactions of closed ledgers for as long as each ledger stays decoded. */
export class HistoryTransactions {
  readonly #networkId: Uint8Array;
  readonly #known = new WeakMap<ClosedLedger, readonly HistoryTransaction[]>();

  constructor(networkId: Uint8Array) {
    this.#networkId = networkId;
  }

  of(ledger: ClosedLedger): readonly HistoryTransaction[] {
    const known = this.#known.get(ledger);
    if (known !== undefined) return known;
    const transactions = ledger.transactions.map(
      (transaction) => new HistoryTransaction(this.#networkId, ledger, transaction),
    );
    this.#known.set(ledger, transactions);
    return transactions;
  }
}

type InnerEnvelope = xdr.TransactionEnvelopeTx | xdr.TransactionEnvelopeTxV0;

/** The transaction without its fee bump. */
export function innerEnvelope(envelope: xdr.TransactionEnvelope): InnerEnvelope {
  return envelope.type === 'envelopeTypeTxFeeBump'
    ? xdr.TransactionEnvelope.envelopeTypeTx(envelope.feeBump.tx.innerTx.v1)
    : envelope;
}

/** How many operations a transaction has. */
export function operationCount(envelope: xdr.TransactionEnvelope): number {
  return innerEnvelope(envelope).value.tx.operations.length;
}

/** The account whose sequence number a transaction uses. */
export function sourceOf(envelope: xdr.TransactionEnvelope): xdr.MuxedAccount {
  const inner = innerEnvelope(envelope);
  return inner.type === 'envelopeTypeTxV0'
    ? xdr.MuxedAccount.keyTypeEd25519(inner.v0.tx.sourceAccountEd25519)
    : inner.v1.tx.sourceAccount;
}

/** The preconditions of a transaction, whichever form they have. */
export function preconditionsOf(envelope: xdr.TransactionEnvelope): {
  readonly timeBounds: xdr.TimeBounds | null;
  readonly v2: xdr.PreconditionsV2 | null;
} {
  const inner = innerEnvelope(envelope);
  if (inner.type === 'envelopeTypeTxV0') return { timeBounds: inner.v0.tx.timeBounds, v2: null };
  const { cond } = inner.v1.tx;
  switch (cond.type) {
    case 'precondNone':
      return { timeBounds: null, v2: null };
    case 'precondTime':
      return { timeBounds: cond.timeBounds, v2: null };
    case 'precondV2':
      return { timeBounds: cond.v2.timeBounds, v2: cond.v2 };
  }
}
