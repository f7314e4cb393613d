import type { StellarAddress } from '../../../protocol/index.ts';
import type { ExtensionResponses } from '../../../protocol/wire/index.ts';
import type { ChannelOutcome, Conclusion, SettlementRecord } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import {
  answerUndeclared,
  type KnownFate,
  type Refusal,
  type Rejection,
  refusal,
  refusalOf,
  type SettleOutcome,
} from '../payment/index.ts';
import { knownFrom } from '../truth/index.ts';
import { askWitnesses } from './askWitnesses.ts';
import { concludedSuccess } from './concluded.ts';
import { fateBeside, recordPaidElsewhere } from './fateBeside.ts';
import { asArrived, detailOf, shortOutcome } from './knownOutcome.ts';
import { notifyCatalog } from './notifyCatalog.ts';
import { feeOf, refused, type SettlementAttempt, undecided } from './settlementAttempt.ts';

/** Returns the scheme's explanation, if any, of a transaction that failed on the ledger. */
async function explainFailed(
  { scheme, payment, hash }: SettlementAttempt,
  { logger }: FacilitatorParts,
): Promise<string[]> {
  try {
    const explanation = await scheme.explainFailed?.(payment);
    return explanation === undefined ? [] : [explanation];
  } catch (error) {
    logger.warn({ err: error, hash }, 'could not explain the failure');
    return [];
  }
}

/**
 * Records the ledger's decision, together with the extension responses that are already known, because each write waits
 * for the disk. If that fails, the ledger is queried again after a restart.
 */
async function writeDecision(
  attempt: SettlementAttempt,
  conclusion: Conclusion,
  detail: string | undefined,
  answered: ExtensionResponses | undefined,
  { journal, logger }: FacilitatorParts,
): Promise<void> {
  try {
    await journal.decided(attempt.record, conclusion, detail, answered);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code, hash: attempt.hash }, 'could not record a decision');
  }
}

/** Returns the record with its transaction; `undefined` while the store does not answer. */
async function findWritten(
  { record: { id } }: SettlementAttempt,
  { journal }: FacilitatorParts,
): Promise<SettlementRecord | undefined> {
  try {
    return await journal.find(id);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return undefined;
  }
}

async function recordUnproven(
  { record, hash }: SettlementAttempt,
  { journal, logger }: FacilitatorParts,
): Promise<void> {
  try {
    await journal.unproven(record);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code, hash }, 'could not record an unproven outcome');
  }
}

/** The refusal of a settlement whose transaction did not pay. It names the one that paid, if that is known. */
function failedRefusal(known: KnownFate, payer: StellarAddress, detail: string): Refusal {
  return known.moneyMoved === 'yes' && known.hash !== undefined
    ? { ...refusal('authorization_replayed', payer), known }
    : { ...refusal('transaction_failed', payer, detail), known };
}

/** Turns the transaction's result into the outcome of the settlement. */
export async function concludeSettlement(
  channelOutcome: ChannelOutcome<Rejection>,
  attempt: SettlementAttempt,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, request, record } = attempt;
  const { payer } = payment;
  switch (channelOutcome.status) {
    case 'rejected':
      return { status: 'rejected', rejection: refusalOf(channelOutcome.rejection, payer) };
    case 'never_sent':
      return refused('submission_failed', attempt, channelOutcome.detail);
    case 'abandoned':
      return undecided(channelOutcome.hash, attempt);
    case 'unproven': {
      const { hash } = channelOutcome;
      const written = await findWritten(attempt, parts);
      const decision = written && (await askWitnesses(written, payment, parts));
      if (decision === undefined) {
        parts.logger.warn({ hash }, 'the history does not reach back to this transaction');
        await recordUnproven(attempt, parts);
        return undecided(hash, attempt);
      }
      return concludeSettlement({ status: 'decided', hash, decision }, attempt, parts);
    }
    case 'decided': {
      const { hash, decision } = channelOutcome;
      attempt.decision = decision;
      if (decision.status === 'succeeded') {
        const { ledger } = decision;
        const conclusion = concludedSuccess(decision, payment);
        if (conclusion.status === 'short') {
          const { arrived } = conclusion;
          parts.logger.warn({ hash, ledger, arrived }, 'less arrived than the payment');
          await writeDecision(attempt, conclusion, detailOf(conclusion), undefined, parts);
          return shortOutcome(arrived, { hash, ledger }, payment);
        }
        const undeclared = answerUndeclared(request);
        await writeDecision(attempt, conclusion, undefined, undeclared, parts);
        const paid = asArrived(payment, conclusion.arrived);
        const settlement = { request, payment: paid, hash, ledger };
        const extensions = undeclared ?? (await notifyCatalog(settlement, record, parts));
        return { status: 'settled', payment: paid, hash, extensions };
      }
      const fate = await fateBeside(payment, decision, parts);
      const explained = decision.status === 'failed' ? await explainFailed(attempt, parts) : [];
      const detail = [detailOf(decision), ...explained].join('; ');
      await writeDecision(attempt, decision, detail, undefined, parts);
      await recordPaidElsewhere(record, fate, parts);
      const feeCharged = feeOf(attempt);
      const ledger = feeCharged > 0n ? decision.ledger : undefined;
      const known = knownFrom(fate, { hash, ledger, feeCharged });
      return { status: 'failed', hash, rejection: failedRefusal(known, payer, detail) };
    }
  }
}
