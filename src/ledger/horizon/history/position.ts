import { type FoundTransaction, type LedgerHistory, totalOrderId } from '../../history/index.ts';
import type { PageQuery } from '../http/pageQuery.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';

const LAST = 2n ** 63n - 1n;
const LEDGER_BITS = 32n;

/**
 * A place in the past: the id of a ledger, a transaction or an operation (SEP-35), and a number among
 * what an operation did.
 */
export interface Position {
  readonly id: bigint;
  readonly part: bigint;
}

/**
 * The place that a page begins strictly after (or before, where the order is descending).
 * @throws HorizonProblem `bad_request`; `before_history` where nothing older is left
 */
export function readPosition(history: LedgerHistory, { cursor, order }: PageQuery): Position {
  if (cursor === '') return order === 'asc' ? { id: 0n, part: 0n } : { id: LAST, part: LAST };
  const match = /^(\d{1,19})(?:-(\d{1,19}))?$/.exec(cursor);
  const id = BigInt(match?.[1] ?? LAST + 1n);
  // A cursor without a second number is after everything that its operation did.
  const part = BigInt(match?.[2] ?? LAST);
  if (id > LAST || part > LAST) throw invalidField('cursor', 'cursor: invalid value');
  const oldest = BigInt(history.oldestSequence) << LEDGER_BITS;
  if (order === 'desc' && id <= oldest) throw new HorizonProblem('before_history');
  return { id, part };
}

/** The place of something that has no parts: a cursor that names it is after all of it. */
export function wholePosition(id: bigint): Position {
  return { id, part: LAST };
}

/** Negative where `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  if (a.part !== b.part) return a.part < b.part ? -1 : 1;
  return 0;
}

/** The ledger of a place. */
export function ledgerOfPosition({ id }: Position): number {
  return Number(id >> LEDGER_BITS);
}

/** The place of a transaction. */
export function transactionId({ ledger, transaction }: FoundTransaction): bigint {
  return totalOrderId({
    ledger: ledger.sequence,
    transaction: transaction.applicationOrder,
    operation: 0,
  });
}
