import {
  type ClosedLedger,
  type ClosedTransaction,
  MAX_OPERATION,
  MAX_TRANSACTION,
} from '../history/index.ts';
import { compareEventCursors, type EventCursor } from './eventCursor.ts';
import { type EventParts, eventParts, transactionEventParts } from './eventParts.ts';

/** An event of a closed ledger. */
export interface LedgerEvent {
  readonly cursor: EventCursor;
  readonly event: EventParts;
  readonly transaction: ClosedTransaction;
}

/**
 * All events of a ledger in order: fees before all transactions (as transaction 0), those of each operation, those of each
 * transaction after its operations, refunds after all transactions (stellar-rpc `internal/db/event.go`).
 */
export function ledgerEvents(ledger: ClosedLedger): LedgerEvent[] {
  const { sequence } = ledger;
  const found: LedgerEvent[] = [];
  let before = 0;
  let after = 0;
  for (const transaction of ledger.transactions) {
    const { applicationOrder, metaParts } = transaction;
    let afterTransaction = 0;
    const add = (order: number, operation: number, index: number, event: EventParts) => {
      const cursor = { ledger: sequence, transaction: order, operation, event: index };
      found.push({ cursor, event, transaction });
    };
    for (const bytes of metaParts.transactionEvents) {
      const { stage, event } = transactionEventParts(bytes);
      switch (stage) {
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
    for (const [operation, events] of metaParts.operationEvents.entries()) {
      for (const [index, bytes] of events.entries()) {
        add(applicationOrder, operation, index, eventParts(bytes));
      }
    }
  }
  return found.sort((a, b) => compareEventCursors(a.cursor, b.cursor));
}
