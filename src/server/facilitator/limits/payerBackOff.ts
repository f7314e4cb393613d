import type { StellarAddress } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';

/** A payer and the recipient that it signed a payment to. */
export interface PayerAndRecipient {
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
}

/** Settlements of one payer to one recipient that failed on the ledger. */
export interface Failures {
  readonly count: number;
  /** When the last one failed: milliseconds since the epoch. */
  readonly lastAt: number;
}

/**
 * Payers that have to wait because the ledger refused their settlements. A payer signs the recipient, so failures that a
 * recipient causes, for example by closing its trustline in time, never delay the payer's payments to others.
 */
export interface PayerBackOff {
  /** Records that a settlement of the payer failed on the ledger, at the sponsor's expense. */
  failed(pair: PayerAndRecipient): void;
  /** Adds failures from a journal that other instances write to. */
  learn(pair: PayerAndRecipient, failures: Failures): void;
  /** Returns whether one of the payer's settlements to the recipient failed recently. */
  isSuspect(pair: PayerAndRecipient): boolean;
  /** Milliseconds until the facilitator settles for this payer and recipient again; 0 if it does now. */
  waitFor(pair: PayerAndRecipient): number;
}

/** Failures expire after this time without another one. */
export const FAILURES_LAST_MS = 3_600_000;
/** Pause after the second failure; each further one doubles it. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;
const MAX_PAIRS = 10_000;

/**
 * Remembers failures by payer and recipient. The first one is free: an honest payer can spend its balance
 * elsewhere between simulation and ledger. Bounded: the oldest pair is dropped first.
 */
export function createPayerBackOff(clock: Clock): PayerBackOff {
  const pairs = new Map<string, Failures>();
  const keyOf = ({ payer, payTo }: PayerAndRecipient) => `${payer} ${payTo}`;

  function known(pair: PayerAndRecipient): Failures | undefined {
    const failures = pairs.get(keyOf(pair));
    if (failures === undefined) return undefined;
    if (clock.now() - failures.lastAt < FAILURES_LAST_MS) return failures;
    pairs.delete(keyOf(pair));
    return undefined;
  }
  function remember(pair: PayerAndRecipient, failures: Failures): void {
    pairs.delete(keyOf(pair));
    const [first] = pairs.keys();
    if (pairs.size >= MAX_PAIRS && first !== undefined) pairs.delete(first);
    pairs.set(keyOf(pair), failures);
  }

  return {
    failed(pair) {
      remember(pair, { count: (known(pair)?.count ?? 0) + 1, lastAt: clock.now() });
    },
    learn(pair, failures) {
      const mine = known(pair);
      if (mine === undefined ? failures.count > 0 : failures.count > mine.count) {
        remember(pair, failures);
      }
    },
    isSuspect: (pair) => known(pair) !== undefined,
    waitFor(pair) {
      const failures = known(pair);
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
