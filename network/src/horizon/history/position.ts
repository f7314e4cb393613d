import { type FoundTransaction, type LedgerHistory, totalOrderId } from '../../history/index.ts';
import type { PageQuery } from '../http/paging.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';

const LAST = 2n ** 63n - 1n;
const LEDGER_BITS = 32n;

/**
 * A position in history: the id of a ledger, transaction or operation (SEP-35), and a number that counts the effects or trades
 * of an operation.
 */
export interface Position {
  readonly id: bigint;
  readonly part: bigint;
}

/**
 * The position after which a page begins (or before which, in descending order).
 * @throws HorizonProblem `bad_request`; `before_history` if nothing older is left
 */
export function readPosition(history: LedgerHistory, { cursor, order }: PageQuery): Position {
  if (cursor === '') return order === 'asc' ? { id: 0n, part: 0n } : { id: LAST, part: LAST };
  const match = /^(\d{1,19})(?:-(\d{1,19}))?$/.exec(cursor);
  const id = BigInt(match?.[1] ?? LAST + 1n);
  // A cursor without a second number comes after all parts of its operation.
  const part = BigInt(match?.[2] ?? LAST);
  if (id > LAST || part > LAST) throw invalidField('cursor', 'cursor: invalid value');
  const oldest = BigInt(history.oldestSequence) << LEDGER_BITS;
  if (order === 'desc' && id <= oldest) throw new HorizonProblem('before_history');
  return { id, part };
}

/** The position of something without parts, which is also where a cursor with this id points. */
export function wholePosition(id: bigint): Position {
  return { id, part: LAST };
}

/** Negative if `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  if (a.part !== b.part) return a.part < b.part ? -1 : 1;
  return 0;
}

/** The ledger of a position. */
export function ledgerOfPosition({ id }: Position): number {
  return Number(id >> LEDGER_BITS);
}

/** The id of a transaction. */
export function transactionId({ ledger, transaction }: FoundTransaction): bigint {
  return totalOrderId({
    ledger: ledger.sequence,
    transaction: transaction.applicationOrder,
    operation: 0,
  });
}
