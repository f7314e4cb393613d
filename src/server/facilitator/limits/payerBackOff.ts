import type { StellarAddress } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';

/** Settlements of one payer that failed on the ledger. */
export interface Failures {
  readonly count: number;
  /** When the last one failed: milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Payers that have to wait because the ledger refused their settlements. */
export interface PayerBackOff {
  /** Records that a settlement of the payer failed on the ledger, at the sponsor's expense. */
  failed(payer: StellarAddress): void;
  /** Adds the payer's failures from a journal that other instances write to. */
  learn(payer: StellarAddress, failures: Failures): void;
  /** Returns whether one of the payer's settlements failed recently. */
  isSuspect(payer: StellarAddress): boolean;
  /** Milliseconds until the facilitator settles for the payer again; 0 if there is no pause. */
  waitFor(payer: StellarAddress): number;
}

/** Failures expire after this time without another one. */
export const FAILURES_LAST_MS = 3_600_000;
/** Pause after the second failure; each further one doubles it. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;
const MOST_PAYERS = 10_000;

/**
 * Remembers failures by payer. The first one is free: an honest payer can spend its balance
 * elsewhere between simulation and ledger. Bounded: the oldest payer is dropped first.
 */
export function createPayerBackOff(clock: Clock): PayerBackOff {
  const payers = new Map<StellarAddress, Failures>();

  function known(payer: StellarAddress): Failures | undefined {
    const failures = payers.get(payer);
    if (failures === undefined) return undefined;
    if (clock.now() - failures.lastAt < FAILURES_LAST_MS) return failures;
    payers.delete(payer);
    return undefined;
  }
  function remember(payer: StellarAddress, failures: Failures): void {
    payers.delete(payer);
    const [first] = payers.keys();
    if (payers.size >= MOST_PAYERS && first !== undefined) payers.delete(first);
    payers.set(payer, failures);
  }

  return {
    failed(payer) {
      remember(payer, { count: (known(payer)?.count ?? 0) + 1, lastAt: clock.now() });
    },
    learn(payer, failures) {
      const mine = known(payer);
      if (mine === undefined ? failures.count > 0 : failures.count > mine.count) {
        remember(payer, failures);
      }
    },
    isSuspect: (payer) => known(payer) !== undefined,
    waitFor(payer) {
      const failures = known(payer);
      if (failures === undefined || failures.count < 2) return 0;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures.count - 2), LONGEST_PAUSE_MS);
      return Math.max(0, failures.lastAt + pause - clock.now());
    },
  };
}

/** Formats a pause for the message of a refusal. */
export function describePause(milliseconds: number): string {
  return `again in ${Math.ceil(milliseconds / 1_000)} s`;
}
