import type { SettlementHash } from '../../protocol/index.ts';
import type { FacilitatorRequest } from '../../protocol/wire/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import type { SettleOutcome } from './outcomes.ts';
import { runSettlement } from './runSettlement.ts';
import { within } from './within.ts';

function pendingAnswer(hash: SettlementHash): SettleOutcome {
  return { status: 'pending', hash, rejection: { code: 'settlement_pending' } };
}

/**
 * Settles a payment and answers in time. When the ledger has not decided by then, the answer is
 * `settlement_pending`, the settlement runs on, and the identical request asks for its outcome. When
 * by then nothing was even sent, nothing will be: the payment is refused as never submitted.
 */
export async function settlePayment(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { clock, limits, pending } = parts;
  const begun = pending.collect(request);
  if (begun !== undefined) {
    const outcome = await within(begun.outcome, limits.confirmationMs, clock);
    if (outcome !== undefined) return outcome;
    pending.add(request, begun);
    return begun.answer;
  }

  return new Promise((resolve, reject) => {
    let sentAs: SettlementHash | undefined;
    let answered = false;
    let givenUp = false;
    function answerPending(hash: SettlementHash): void {
      if (answered) return;
      answered = true;
      const answer = pendingAnswer(hash);
      pending.add(request, { outcome, answer });
      resolve(answer);
    }
    const outcome: Promise<SettleOutcome> = runSettlement(request, parts, {
      onPending: answerPending,
      onSending(hash) {
        sentAs = hash;
      },
      givenUp: () => givenUp,
    });
    const cancel = clock.after(limits.answerWithinMs, () => {
      if (sentAs !== undefined) {
        answerPending(sentAs);
        return;
      }
      answered = true;
      givenUp = true;
      resolve({ status: 'rejected', rejection: { code: 'ledger_too_slow' } });
    });
    outcome
      .then((value) => {
        answered = true;
        resolve(value);
      }, reject)
      .finally(cancel);
  });
}
