import type { Clock } from '../../clock.ts';
import type { Checked } from '../payment/index.ts';

/** The verdict on a payment from one view of the ledger. */
export interface Judgement<T> {
  readonly checked: Checked<T>;
  /** Whether the refusal could be due to a server that is some ledgers behind another. */
  readonly maybeSkew: boolean;
}

/** How many ledgers apart two servers of one network may reasonably be: about a minute. */
export const SKEW_LEDGERS = 12;

/** Time for a server that is behind to receive the next ledger. */
const CATCH_UP_MS = 1_000;

/**
 * The one guard retry for ledger skew (spec: POST /verify and POST /settle): servers behind one address
 * may be at different ledgers, and a payment that is valid at the newest may look invalid at an older
 * one. If this could explain a refusal, the payment is checked once more a moment later.
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
