import type { FacilitatorRequest } from '../../protocol/wire/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import type { SettleOutcome } from './outcomes.ts';
import { runSettlement } from './runSettlement.ts';

/** The final outcome of `promise`, or `undefined` after `ms`. */
async function within<T>(
  promise: Promise<T>,
  ms: number,
  { clock }: FacilitatorParts,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}

/**
 * Settles a payment and answers in time: when the ledger has not decided by then, the answer is
 * `settlement_pending`, the settlement runs on, and the identical request asks for its outcome.
 */
export async function settlePayment(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const begun = parts.pending.collect(request);
  if (begun !== undefined) {
    const outcome = await within(begun.outcome, parts.limits.confirmationMs, parts);
    if (outcome !== undefined) return outcome;
    parts.pending.add(request, begun);
    return begun.answer;
  }

  return new Promise((resolve, reject) => {
    const outcome: Promise<SettleOutcome> = runSettlement(request, parts, (hash) => {
      const answer = {
        status: 'pending',
        hash,
        rejection: { code: 'settlement_pending' },
      } as const;
      parts.pending.add(request, { outcome, answer });
      resolve(answer);
    });
    outcome.then(resolve, reject);
  });
}
