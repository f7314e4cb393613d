import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';

/** What calls take of the budget. */
export type Work = 'events' | 'instructions' | 'bytes';

/**
 * What the calls of one request may take together, so that a small request does not cause any amount of work. The call
 * that exceeds it is finished; those after it are refused.
 */
export class WorkBudget {
  readonly #left: Record<Work, number> = { ...LIMITS.work };

  /** Counts work that was done. */
  spend(work: Work, amount: number): void {
    this.#left[work] -= amount;
  }

  /** @throws RpcError where nothing is left */
  requireLeft(): void {
    for (const [work, left] of Object.entries(this.#left)) {
      if (left > 0) continue;
      throw new RpcError(
        'limitExceeded',
        `the calls of this request exceed its limit of ${work}; send fewer of them in one batch`,
      );
    }
  }
}
