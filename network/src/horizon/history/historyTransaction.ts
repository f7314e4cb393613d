import type { xdr } from '@stellar/stellar-sdk';
import type { ClosedLedger, ClosedTransaction } from '../../history/index.ts';
import { innerEnvelope, sourceOf } from './envelope.ts';
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
