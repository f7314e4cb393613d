import type { CallCost } from '../host/index.ts';
import { RecentMap } from '../state/index.ts';
import type { ParsedTransaction } from '../transaction/index.ts';

/** Number of transactions for which call costs are kept. */
const REMEMBERED = 2_000;
/** Maximum number of calls of a transaction; a trace does not show more. */
const MOST_CALLS = 2_000;

/**
 * What each call of the latest transactions consumed. Ledgers do not record it, so it is lost on restart. It costs little when
 * nobody looks at it.
 */
export class CallCosts {
  readonly #recent = new RecentMap<string, readonly CallCost[]>(REMEMBERED);

  remember({ hash }: Pick<ParsedTransaction, 'hash'>, calls: readonly CallCost[]): void {
    // If calls in the middle were left out, the costs after them would be attributed to the wrong calls.
    if (calls.length > 0 && calls.length <= MOST_CALLS)
      this.#recent.set(hash.toString('hex'), calls);
  }

  /** @param hash hex; for a fee bump, that of the inner transaction */
  of(hash: string): readonly CallCost[] | undefined {
    return this.#recent.get(hash);
  }
}
