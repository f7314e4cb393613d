import type { OnSettled } from '../payment/index.ts';

/** Recipients with a cataloged payment, whose fees do not count against the limit for unbound recipients. */
export interface BoundRecipients {
  has(payTo: string): boolean;
  /** Wraps the catalog's hook to observe its results. */
  watching(onSettled: OnSettled): OnSettled;
}

const MOST_RECIPIENTS = 10_000;

/** Learns bound recipients from the catalog's results; the oldest is forgotten first. */
export function createBoundRecipients(): BoundRecipients {
  const bound = new Set<string>();
  return {
    has: (payTo) => bound.has(payTo),
    watching: (onSettled) => async (settlement) => {
      const responses = await onSettled(settlement);
      if (responses.bazaar?.cataloged === true) {
        const [first] = bound;
        if (bound.size >= MOST_RECIPIENTS && first !== undefined) bound.delete(first);
        bound.add(settlement.payment.payTo);
      }
      return responses;
    },
  };
}
