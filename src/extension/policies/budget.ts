import { countedAt } from '../../protocol/policies/index.ts';
import type { LedgerLimit } from './ledgerPolicy.ts';

/** What is left now. Amounts are atomic units, times seconds. */
export interface Budget {
  readonly limit: bigint;
  readonly spent: bigint;
  readonly left: bigint;
  /** `undefined`: any number. */
  readonly paymentsLeft: number | undefined;
  /** When more is left; `undefined` while nothing is spent. */
  readonly resetsAt: bigint | undefined;
}

/**
 * The budget of a spending limit at a time, counted as the contract itself does: what has left the window
 * is not spent any more (contracts/spending-limit).
 * @param now seconds of the ledger's clock
 */
export function budgetAt(limit: LedgerLimit, now: bigint): Budget {
  const { windowSeconds: window, sliding, maxPayments } = limit;
  const terms = { window, sliding, maxPayments };
  const { spent, payments, resetsAt } = countedAt(terms, limit.window, now);
  return {
    limit: limit.limit,
    spent,
    // An owner may lower a limit below what was spent.
    left: spent > limit.limit ? 0n : limit.limit - spent,
    paymentsLeft: maxPayments === undefined ? undefined : Math.max(0, maxPayments - payments),
    resetsAt,
  };
}

/**
 * The ledger's time now: that of its last ledger, or this machine's when it is later. The embedded
 * network closes ledgers when something happens, and its time can be moved ahead.
 */
export function ledgerNow(lastLedger: bigint, machineMs: number): bigint {
  const machine = BigInt(Math.floor(machineMs / 1_000));
  return machine > lastLedger ? machine : lastLedger;
}
