import { countedAt } from '../../protocol/policies/index.ts';
import type { LedgerLimit } from './ledgerPolicy.ts';

/** The remaining budget. Amounts are in atomic units, times in seconds. */
export interface Budget {
  readonly limit: bigint;
  readonly spent: bigint;
  readonly left: bigint;
  /** `undefined`: no limit. */
  readonly paymentsLeft: number | undefined;
  /** When more becomes available; `undefined` while nothing is spent. */
  readonly resetsAt: bigint | undefined;
}

/**
 * Returns a spending limit's budget at a given time, counted as the contract does: spending outside the window no longer counts
 * (contracts/spending-limit).
 * @param now seconds of the ledger's clock
 */
export function budgetAt(limit: LedgerLimit, now: bigint): Budget {
  const { windowSeconds: window, sliding, maxPayments } = limit;
  const terms = { window, sliding, maxPayments };
  const { spent, payments, resetsAt } = countedAt(terms, limit.window, now);
  return {
    limit: limit.limit,
    spent,
    // An owner can lower a limit below what was spent.
    left: spent > limit.limit ? 0n : limit.limit - spent,
    paymentsLeft: maxPayments === undefined ? undefined : Math.max(0, maxPayments - payments),
    resetsAt,
  };
}

/**
 * The current ledger time: the close time of the last ledger, or this machine's time if later. The embedded network closes
 * ledgers only when something happens, and its time can be moved ahead.
 */
export function ledgerNow(lastLedger: bigint, machineMs: number): bigint {
  const machine = BigInt(Math.floor(machineMs / 1_000));
  return machine > lastLedger ? machine : lastLedger;
}
