import type { SettlementHash } from '../../../protocol/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { refusal, type SettleOutcome } from '../payment/index.ts';
import { AnswerDuty } from './answerDuty.ts';
import type { Caller } from './caller.ts';
import { deliverRefusal } from './deliverRefusal.ts';
import { runSettlement } from './runSettlement.ts';
import type { ClaimedPayment } from './settlementAttempt.ts';

/**
 * Runs a settlement and answers in time. If the ledger has not decided by the deadline, the answer is `settlement_pending`, the
 * settlement continues, and an identical request can ask for its outcome. If no transaction has been recorded as being sent by
 * then, none will be sent, and the payment is refused as never submitted.
 * @param deadline elapsed time of the clock by which the caller must have its answer
 */
export function answerInTime(
  claimed: ClaimedPayment,
  caller: Caller | undefined,
  deadline: number,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { clock } = parts;
  const { payer } = claimed.payment;
  const duty = new AnswerDuty(claimed.record.id, caller, parts);
  const refuse = () => {
    duty.drop();
    return deliverRefusal(claimed.record, caller, parts);
  };

  return new Promise((resolve, reject) => {
    /** A hash that the journal may have as being submitted. It is kept, whatever a server reports. */
    let sentAs: SettlementHash | undefined;
    let answered = false;
    let givenUp = false;
    let waitsForStore = false;
    function answerPending(hash: SettlementHash): void {
      if (answered) return;
      answered = true;
      const rejection = refusal('settlement_pending', payer);
      duty.owe().then(() => resolve({ status: 'pending', hash, rejection }), reject);
    }
    const outcome = runSettlement(claimed, parts, {
      onPending: answerPending,
      onSending(hash) {
        sentAs = hash;
      },
      onStore(waits) {
        waitsForStore = waits;
      },
      givenUp: () => givenUp,
    });
    const cancel = clock.after(Math.max(0, deadline - clock.elapsed()), () => {
      if (sentAs !== undefined) {
        answerPending(sentAs);
        return;
      }
      if (answered) return;
      answered = true;
      givenUp = true;
      const rejection = waitsForStore
        ? refusal('store_unavailable', payer, 'no answer in time')
        : refusal('ledger_too_slow', payer);
      parts.local.refuse(claimed.record, rejection, clock.elapsed());
      refuse().then(() => resolve({ status: 'rejected', rejection }), reject);
    });
    outcome
      .then((value) => {
        if (answered) {
          // Its caller already has a different answer.
          if (!givenUp) parts.local.refusalTold(claimed.record, clock.elapsed());
          return undefined;
        }
        if (value.status === 'pending') {
          answerPending(value.hash);
          return undefined;
        }
        answered = true;
        if (value.status !== 'rejected') {
          duty.answer();
          resolve(value);
          return undefined;
        }
        return refuse().then(() => resolve(value));
      })
      .catch((error: unknown) => refuse().then(() => reject(error)))
      .finally(cancel);
  });
}
