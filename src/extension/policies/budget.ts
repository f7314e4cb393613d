import type { LedgerLimit } from './ledgerPolicy.ts';

/** What is left now. Amounts are atomic units, times seconds. */
export interface Budget {
  readonly limit: bigint;
  readonly spent: bigint;
  readonly left: bigint;
  /** When the spent amount returns to zero; `undefined` while nothing is spent. */
  readonly resetsAt: bigint | undefined;
}

/**
 * The budget of a spending limit at a time, counted as the contract itself does: a window that is over
 * has nothing spent, and the next payment begins another (contracts/spending-limit).
 * @param now seconds of the ledger's clock
 */
export function budgetAt({ limit, window, windowSeconds }: LedgerLimit, now: bigint): Budget {
  const running = window !== undefined && now - window.start < windowSeconds;
  const spent = running ? window.spent : 0n;
  return {
    limit,
    spent,
    left: limit - spent,
    resetsAt: running && spent > 0n ? window.start + windowSeconds : undefined,
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
