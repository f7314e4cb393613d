import type { CallCost } from '../host/index.ts';
import { RecentMap } from '../state/index.ts';
import type { ParsedTransaction } from '../transaction/index.ts';

/** Transactions whose calls are remembered. */
const REMEMBERED = 2_000;
/** Calls of a transaction that are remembered: a trace shows no more. */
const MOST_CALLS = 2_000;

/**
 * What each call of the latest transactions consumed. No ledger has this, so it is gone after a restart; a network that is
 * watched by nobody pays little for it.
 */
export class CallCosts {
  readonly #recent = new RecentMap<string, readonly CallCost[]>(REMEMBERED);

  remember({ hash }: Pick<ParsedTransaction, 'hash'>, calls: readonly CallCost[]): void {
    // What was left out in the middle would shift those after it.
    if (calls.length > 0 && calls.length <= MOST_CALLS)
      this.#recent.set(hash.toString('hex'), calls);
  }

  /** @param hash hex, of the transaction inside for a fee bump */
  of(hash: string): readonly CallCost[] | undefined {
    return this.#recent.get(hash);
  }
}
