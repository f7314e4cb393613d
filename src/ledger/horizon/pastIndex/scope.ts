import type { AccountIdString } from '../../state/index.ts';
import type { HorizonView } from '../horizonView.ts';
import { operationParticipants, transactionParticipants } from '../past/participants.ts';
import type { PastOperation } from '../past/pastOperation.ts';
import type { PastTransaction } from '../past/pastTransaction.ts';
import { requireKnownAccount, requireKnownClaimableBalance, requireKnownPool } from './known.ts';
import { claimableBalancesOf, pastKey, poolsOf } from './pastDigest.ts';
import { type ChooseLedgers, onlyLedger } from './walk.ts';

/** The part of the past that a request is about, and where it is found. */
export interface Scope {
  readonly transactions: ChooseLedgers;
  readonly payments: ChooseLedgers;
  readonly effects: ChooseLedgers;
  holdsTransaction(transaction: PastTransaction): boolean;
  holdsOperation(operation: PastOperation): boolean;
  /** @param account whom an effect of the operation was on */
  holdsEffect(operation: PastOperation, account: string): boolean;
  /** Whether failed transactions are told without being asked for. */
  readonly failedToo: boolean;
  /** Asked where nothing was found. @throws HorizonProblem `not_found` for something that never was */
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
  const all = view.ledgersOf(pastKey.anything);
  const payments = view.ledgersOf(pastKey.payments);
  return { ...ALL, transactions: all, payments, effects: all };
}

/** @param address the account as `G…` */
export function ofAccount(view: HorizonView, account: AccountIdString, address: string): Scope {
  return {
    ...ALL,
    transactions: view.ledgersOf(pastKey.account(account)),
    payments: view.ledgersOf(pastKey.paymentsOf(account)),
    effects: view.ledgersOf(pastKey.effectsOf(account)),
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

/** Who asks for one transaction knows whether it failed. */
export function ofTransaction(sequence: number, hash: string): Scope {
  const isIt = ({ transaction }: Pick<PastTransaction, 'transaction'>): boolean =>
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
  const touches = (operation: PastOperation): boolean => poolsOf(operation).includes(id);
  return {
    ...ofTouching(view, pastKey.pool(id), touches),
    requireKnown: () => requireKnownPool(view, id),
  };
}

/** @param id hex of its XDR */
export function ofClaimableBalance(view: HorizonView, id: string): Scope {
  const touches = (operation: PastOperation): boolean =>
    claimableBalancesOf(operation).includes(id);
  return {
    ...ofTouching(view, pastKey.claimableBalance(id), touches),
    requireKnown: () => requireKnownClaimableBalance(view, id),
  };
}

function ofTouching(
  view: HorizonView,
  key: string,
  touches: (operation: PastOperation) => boolean,
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
