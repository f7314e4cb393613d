import type { AuthorizationFate } from '../../../protocol/fate/index.ts';
import type { Decision, SettlementRecord } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { presentedIn } from '../truth/index.ts';

/**
 * Returns what became of an authorization whose transaction here did not pay: another one may have paid, or still can. A failure
 * counts against the payer, at this recipient, only if its authorization paid nowhere.
 */
export async function fateBeside(
  payment: Pick<PreparedPayment, 'envelope' | 'payer' | 'payTo'>,
  decision: Exclude<Decision, { readonly status: 'succeeded' }>,
  parts: FacilitatorParts,
): Promise<AuthorizationFate> {
  const presented = presentedIn(payment.envelope, parts);
  const fate: AuthorizationFate =
    presented === undefined
      ? { state: 'unknown', because: 'unreadable' }
      : await parts.fates.read(presented);
  const isUnpaid = fate.state === 'open' || fate.state === 'void';
  if (decision.status === 'failed' && isUnpaid) parts.backOff.failed(payment);
  return fate;
}

/** Records which other transaction paid, if one did. If that fails, the ledger is read again. */
export async function recordPaidElsewhere(
  record: SettlementRecord,
  fate: AuthorizationFate,
  { journal, logger }: FacilitatorParts,
): Promise<void> {
  if (fate.state !== 'paid') return;
  const { hash, ledger } = fate;
  logger.warn({ hash, ledger }, 'another transaction paid with this authorization');
  try {
    await journal.paidElsewhere(record, { hash, ledger });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code, hash }, 'could not record which transaction paid');
  }
}
