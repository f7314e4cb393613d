import type { xdr } from '@stellar/stellar-sdk';
import { type ClosedLedger, type ClosedTransaction, totalOrderId } from '../../history/index.ts';
import { type AssetEvent, readAssetEvent } from './assetEvent.ts';
import { deltasOf, type EntryDelta } from './entryDelta.ts';

type Body = xdr.OperationBody;
type Results = xdr.OperationResultTr;

/** What an operation knows about its transaction. */
export interface OperationContext {
  readonly networkId: Uint8Array;
  readonly ledger: ClosedLedger;
  readonly transaction: ClosedTransaction;
  readonly source: xdr.MuxedAccount;
  readonly operations: readonly HistoryOperation[];
  /** The results of its operations; undefined if none was attempted. */
  readonly results: readonly xdr.OperationResult[] | undefined;
}

/** An operation of a closed ledger, with its changes. */
export class HistoryOperation {
  readonly in: OperationContext;
  /** From 0. */
  readonly index: number;
  readonly body: Body;
  /** The account on whose behalf it acted, as given in the operation or transaction. */
  readonly source: xdr.MuxedAccount;
  #deltas: readonly EntryDelta[] | undefined;
  #assetEvents: readonly AssetEvent[] | undefined;

  constructor(home: OperationContext, index: number, { body, sourceAccount }: xdr.Operation) {
    this.in = home;
    this.index = index;
    this.body = body;
    this.source = sourceAccount ?? home.source;
  }

  get ledger(): ClosedLedger {
    return this.in.ledger;
  }

  get transaction(): ClosedTransaction {
    return this.in.transaction;
  }

  get id(): bigint {
    return totalOrderId({
      ledger: this.ledger.sequence,
      transaction: this.transaction.applicationOrder,
      operation: this.index + 1,
    });
  }

  /** The change of each entry that it touched, sorted by key; none if its transaction failed. */
  get deltas(): readonly EntryDelta[] {
    this.#deltas ??= deltasOf(this.#changes());
    return this.#deltas;
  }

  /** The events of asset contracts; only those of contract calls are considered. */
  get assetEvents(): readonly AssetEvent[] {
    this.#assetEvents ??= this.#readAssetEvents();
    return this.#assetEvents;
  }

  /** The result, if the operation is of this type; undefined for other types, or if its transaction failed. */
  result<T extends Results['type']>(type: T): Extract<Results, { type: T }> | undefined {
    const results = this.in.results;
    const result = results?.[this.index];
    if (result?.type !== 'opInner' || !this.transaction.successful) return undefined;
    return isOf(result.tr, type) ? result.tr : undefined;
  }

  #changes(): readonly xdr.LedgerEntryChange[] {
    return this.transaction.operationChanges(this.index);
  }

  #readAssetEvents(): AssetEvent[] {
    if (this.body.type !== 'invokeHostFunction') return [];
    const events = this.transaction.eventsOfOperation(this.index);
    return events.flatMap((event) => readAssetEvent(this.in.networkId, event) ?? []);
  }
}

function isOf<T extends Results['type']>(
  result: Results,
  type: T,
): result is Extract<Results, { type: T }> {
  return result.type === type;
}
