import type { SettlementHash } from '../../../protocol/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { refusal, type SettleOutcome } from '../payment/index.ts';
import { recordDelivery } from './recordDelivery.ts';
import { runSettlement } from './runSettlement.ts';
import type { ClaimedPayment } from './settlementAttempt.ts';

/**
 * Runs a settlement and answers in time. When the ledger has not decided by then, the answer is
 * `settlement_pending`, the settlement runs on, and the identical request asks for its outcome. When
 * by then nothing was even sent, nothing will be: the payment is refused as never submitted.
 */
export function answerInTime(
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { clock, limits, journal, local, logger } = parts;
  const { id } = claimed.record;
  const { payer } = claimed.payment;

  /** Leaves the outcome to an identical request, then says that it is pending. */
  async function owe(hash: SettlementHash): Promise<SettleOutcome> {
    try {
      await journal.owe(id);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      logger.error({ reason: error.code, hash }, 'could not record the undelivered outcome');
    }
    local.stopAwaiting(id);
    return { status: 'pending', hash, rejection: refusal('settlement_pending', payer) };
  }

  return new Promise((resolve, reject) => {
    let sentAs: SettlementHash | undefined;
    let answered = false;
    let givenUp = false;
    function answerPending(hash: SettlementHash): void {
      if (answered) return;
      answered = true;
      owe(hash).then(resolve, reject);
    }
    const outcome = runSettlement(claimed, parts, {
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
      if (answered) return;
      answered = true;
      givenUp = true;
      local.stopAwaiting(id);
      resolve({ status: 'rejected', rejection: refusal('ledger_too_slow', payer) });
    });
    outcome
      .then((value) => {
        if (answered) return;
        if (value.status === 'pending') {
          answerPending(value.hash);
          return;
        }
        answered = true;
        if (value.status === 'rejected') local.stopAwaiting(id);
        else void recordDelivery(id, parts);
        resolve(value);
      })
      .catch((error: unknown) => {
        local.stopAwaiting(id);
        reject(error);
      })
      .finally(cancel);
  });
}
