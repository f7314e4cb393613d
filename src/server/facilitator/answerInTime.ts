import type { SettlementHash } from '../../protocol/index.ts';
import { StoreError } from '../store/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import type { SettleOutcome } from './outcomes.ts';
import { runSettlement } from './runSettlement.ts';
import type { ClaimedPayment } from './settlementRun.ts';
import { tellOnce } from './tellOnce.ts';

/**
 * Runs a settlement and answers in time. When the ledger has not decided by then, the answer is
 * `settlement_pending`, the settlement runs on, and the identical request asks for its outcome. When
 * by then nothing was even sent, nothing will be: the payment is refused as never submitted.
 */
export function answerInTime(
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { clock, limits, journal, heldHere, logger } = parts;
  const { id } = claimed.record;
  const { payer } = claimed.payment;

  /** Leaves the outcome to an identical request, then says that it is pending. */
  async function owe(hash: SettlementHash): Promise<SettleOutcome> {
    try {
      await journal.owe(id);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      logger.error({ reason: error.code, hash }, 'the duty to answer could not be written down');
    }
    heldHere.delete(id);
    return { status: 'pending', hash, rejection: { code: 'settlement_pending', payer } };
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
      heldHere.delete(id);
      resolve({ status: 'rejected', rejection: { code: 'ledger_too_slow' } });
    });
    outcome
      .then((value) => {
        if (answered) return;
        if (value.status === 'pending') {
          answerPending(value.hash);
          return;
        }
        answered = true;
        if (value.status === 'rejected') heldHere.delete(id);
        else void tellOnce(id, parts);
        resolve(value);
      })
      .catch((error: unknown) => {
        heldHere.delete(id);
        reject(error);
      })
      .finally(cancel);
  });
}
