import type { xdr } from '@stellar/stellar-sdk';
import {
  type ClosedLedger,
  type ClosedTransaction,
  MAX_OPERATION,
  MAX_TRANSACTION,
} from '../history/index.ts';
import { compareEventCursors, type EventCursor } from './eventCursor.ts';

/** An event of a closed ledger. */
export interface LedgerEvent {
  readonly cursor: EventCursor;
  readonly event: xdr.ContractEvent;
  readonly transaction: ClosedTransaction;
}

/**
 * All events of a ledger in their order: fees before all transactions (transaction 0), those of each operation, those of
 * each transaction behind its operations, refunds behind all transactions (stellar-rpc `internal/db/event.go`).
 */
export function ledgerEvents(ledger: ClosedLedger): LedgerEvent[] {
  const { sequence } = ledger;
  const found: LedgerEvent[] = [];
  let before = 0;
  let after = 0;
  for (const transaction of ledger.transactions) {
    const { applicationOrder, transactionEvents, operationEvents } = transaction;
    let afterTransaction = 0;
    const add = (order: number, operation: number, index: number, event: xdr.ContractEvent) => {
      const cursor = { ledger: sequence, transaction: order, operation, event: index };
      found.push({ cursor, event, transaction });
    };
    for (const { stage, event } of transactionEvents) {
      switch (stage.name) {
        case 'transactionEventStageBeforeAllTxs':
          add(0, 0, before++, event);
          break;
        case 'transactionEventStageAfterTx':
          add(applicationOrder, MAX_OPERATION, afterTransaction++, event);
          break;
        case 'transactionEventStageAfterAllTxs':
          add(MAX_TRANSACTION, 0, after++, event);
          break;
      }
    }
    for (const [operation, events] of operationEvents.entries()) {
      for (const [index, event] of events.entries()) add(applicationOrder, operation, index, event);
    }
  }
  return found.sort((a, b) => compareEventCursors(a.cursor, b.cursor));
}
