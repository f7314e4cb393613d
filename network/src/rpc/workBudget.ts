import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';

/** The kinds of work in the budget. */
export type Work = 'events' | 'instructions' | 'bytes';

/**
 * The total work allowed for the calls of one request, so that a small request cannot cause unlimited work. The call that
 * exceeds it is finished; later ones are refused.
 */
export class WorkBudget {
  readonly #left: Record<Work, number> = { ...LIMITS.work };

  /** Counts completed work. */
  spend(work: Work, amount: number): void {
    this.#left[work] -= amount;
  }

  /** @throws RpcError if nothing is left */
  requireLeft(): void {
    for (const [work, left] of Object.entries(this.#left)) {
      if (left > 0) continue;
      throw new RpcError(
        'limitExceeded',
        `the calls of this request exceed its limit of ${work}; send fewer calls per batch`,
      );
    }
  }
}
