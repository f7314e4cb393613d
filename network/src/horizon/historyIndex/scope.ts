import type { AccountIdString } from '../../state/index.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import type { HistoryTransaction } from '../history/historyTransaction.ts';
import { operationParticipants, transactionParticipants } from '../history/participants.ts';
import type { HorizonView } from '../horizonView.ts';
import { type ChooseLedgers, onlyLedger } from './collectPage.ts';
import { claimableBalancesOf, indexKey, poolsOf } from './indexKeys.ts';
import {
  requireKnownAccount,
  requireKnownClaimableBalance,
  requireKnownPool,
} from './requireKnown.ts';

/** The part of history that a request is about, and the ledgers that contain it. */
export interface Scope {
  readonly transactions: ChooseLedgers;
  readonly payments: ChooseLedgers;
  readonly effects: ChooseLedgers;
  holdsTransaction(transaction: HistoryTransaction): boolean;
  holdsOperation(operation: HistoryOperation): boolean;
  /** @param account the account on which the operation had the effect */
  holdsEffect(operation: HistoryOperation, account: string): boolean;
  /** Whether failed transactions are included even if not requested. */
  readonly failedToo: boolean;
  /** Called if nothing was found. @throws HorizonProblem `not_found` for something that never existed */
  requireKnown(): Promise<void>;
}

const ALL = {
  holdsTransaction: () => true,
  holdsOperation: () => true,
  holdsEffect: () => true,
  failedToo: false,
  requireKnown: () => Promise.resolve(),
};

export function everything(view: HorizonView): Scope {
  const all = view.ledgersOf(indexKey.anything);
  const payments = view.ledgersOf(indexKey.payments);
  return { ...ALL, transactions: all, payments, effects: all };
}

/** @param address the account as `G…` */
export function ofAccount(view: HorizonView, account: AccountIdString, address: string): Scope {
  return {
    ...ALL,
    transactions: view.ledgersOf(indexKey.account(account)),
    payments: view.ledgersOf(indexKey.paymentsOf(account)),
    effects: view.ledgersOf(indexKey.effectsOf(account)),
    holdsTransaction: (transaction) => transactionParticipants(transaction).has(account),
    holdsOperation: (operation) => operationParticipants(operation).has(account),
    holdsEffect: (_operation, on) => on === address,
    requireKnown: () => requireKnownAccount(view, account),
  };
}

export function ofLedger(sequence: number): Scope {
  const one = onlyLedger(sequence);
  return { ...ALL, transactions: one, payments: one, effects: one };
}

/** Includes failed transactions: a client that requests a single transaction knows whether it failed. */
export function ofTransaction(sequence: number, hash: string): Scope {
  const isIt = ({ transaction }: Pick<HistoryTransaction, 'transaction'>): boolean =>
    transaction.hash === hash || transaction.innerHash === hash;
  return {
    ...ofLedger(sequence),
    holdsTransaction: isIt,
    holdsOperation: (operation) => isIt(operation.in),
    holdsEffect: (operation) => isIt(operation.in),
    failedToo: true,
  };
}

export function ofOperation(sequence: number, id: bigint): Scope {
  return {
    ...ofLedger(sequence),
    holdsOperation: (operation) => operation.id === id,
    holdsEffect: (operation) => operation.id === id,
  };
}

/** @param id hex */
export function ofPool(view: HorizonView, id: string): Scope {
  const touches = (operation: HistoryOperation): boolean => poolsOf(operation).includes(id);
  return {
    ...ofTouching(view, indexKey.pool(id), touches),
    requireKnown: () => requireKnownPool(view, id),
  };
}

/** @param id hex of its XDR */
export function ofClaimableBalance(view: HorizonView, id: string): Scope {
  const touches = (operation: HistoryOperation): boolean =>
    claimableBalancesOf(operation).includes(id);
  return {
    ...ofTouching(view, indexKey.claimableBalance(id), touches),
    requireKnown: () => requireKnownClaimableBalance(view, id),
  };
}

function ofTouching(
  view: HorizonView,
  key: string,
  touches: (operation: HistoryOperation) => boolean,
): Scope {
  const ledgers = view.ledgersOf(key);
  return {
    ...ALL,
    transactions: ledgers,
    payments: ledgers,
    effects: ledgers,
    holdsTransaction: ({ operations }) => operations.some(touches),
    holdsOperation: touches,
    holdsEffect: touches,
  };
}
