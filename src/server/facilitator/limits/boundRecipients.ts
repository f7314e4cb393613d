import type { OnSettled } from '../payment/index.ts';

/** Recipients that the catalog has taken a payment for: what the unbound pool does not pay for. */
export interface BoundRecipients {
  has(payTo: string): boolean;
  /** The catalog's hook, listened to. */
  watching(onSettled: OnSettled): OnSettled;
}

const MOST_RECIPIENTS = 10_000;

/** Learns of bound recipients from what the catalog answers; the first one learnt is forgotten first. */
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
