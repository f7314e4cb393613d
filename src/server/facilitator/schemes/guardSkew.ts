import type { Clock } from '../../clock.ts';
import type { Checked } from '../payment/index.ts';

/** How a payment was judged on one view of the ledger. */
export interface Judgement<T> {
  readonly checked: Checked<T>;
  /** Whether a server that is some ledgers behind another could be why it was refused. */
  readonly maybeSkew: boolean;
}

/** Ledgers that two servers of one network may reasonably be apart: a minute's. */
export const SKEW_LEDGERS = 12;

/** Time for a server that is behind to take in the next ledger. */
const CATCH_UP_MS = 1_000;

/**
 * The one guard retry for ledger skew (spec: POST /verify and POST /settle): servers of one address
 * need not be at the same ledger, and a payment that is good at the newest may look wrong at an
 * older one. A refusal that this could explain is looked at once more, a moment later.
 */
export async function guardSkew<T>(
  judge: () => Promise<Judgement<T>>,
  clock: Clock,
): Promise<Checked<T>> {
  const { checked, maybeSkew } = await judge();
  if (checked.ok || !maybeSkew) return checked;
  await clock.sleep(CATCH_UP_MS);
  return (await judge()).checked;
}
