import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import type { ExtensionResponses } from '../../../protocol/wire/index.ts';
import type { Conclusion, Decision, JournaledTransaction } from '../../settlement/index.ts';
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
import { type ClaimedPayment, refused, undecided } from './settling.ts';

/** What became of the transaction of a settlement. */
export type TransactionOutcome =
  | { readonly status: 'rejected'; readonly rejection: Rejection }
  | { readonly status: 'never_sent'; readonly detail: string }
  | { readonly status: 'decided'; readonly hash: SettlementHash; readonly decision: Decision }
  /** The service stopped before the ledger decided. */
  | { readonly status: 'abandoned'; readonly hash: SettlementHash }
  /** No future ledger can include it; this server's history does not show whether one did. */
  | { readonly status: 'unproven'; readonly transaction: JournaledTransaction };

/** Returns the scheme's explanation, if any, of a transaction that failed on the ledger. */
async function explainFailed(
  { scheme, payment }: ClaimedPayment,
  hash: SettlementHash,
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
  { record }: ClaimedPayment,
  hash: SettlementHash,
  conclusion: Conclusion,
  detail: string | undefined,
  answered: ExtensionResponses | undefined,
  { journal, logger }: FacilitatorParts,
): Promise<void> {
  try {
    await journal.decided(record, conclusion, detail, answered);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code, hash }, 'could not record a decision');
  }
}

async function recordUnproven(
  { record }: ClaimedPayment,
  hash: SettlementHash,
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

/** Asks the other witnesses for the outcome of a transaction that the server's history does not show. */
export async function askOthers(
  outcome: TransactionOutcome,
  { payment }: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<TransactionOutcome> {
  if (outcome.status !== 'unproven') return outcome;
  const { transaction } = outcome;
  const decision = await askWitnesses({ transaction }, payment, parts);
  return decision === undefined ? outcome : { status: 'decided', hash: transaction.hash, decision };
}

async function concludeSuccess(
  decision: Extract<Decision, { status: 'succeeded' }>,
  hash: SettlementHash,
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, request, record } = claimed;
  const { ledger } = decision;
  const conclusion = concludedSuccess(decision, payment);
  if (conclusion.status === 'short') {
    const { arrived } = conclusion;
    parts.logger.warn({ hash, ledger, arrived }, 'less arrived than the payment');
    await writeDecision(claimed, hash, conclusion, detailOf(conclusion), undefined, parts);
    return shortOutcome(arrived, { hash, ledger }, payment);
  }
  const undeclared = answerUndeclared(request);
  await writeDecision(claimed, hash, conclusion, undefined, undeclared, parts);
  const paid = asArrived(payment, conclusion.arrived);
  const settlement = { request, payment: paid, hash, ledger };
  const extensions = undeclared ?? (await notifyCatalog(settlement, record, parts));
  return { status: 'settled', payment: paid, hash, extensions };
}

async function concludeFailure(
  decision: Exclude<Decision, { status: 'succeeded' }>,
  hash: SettlementHash,
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, record } = claimed;
  const fate = await fateBeside(payment, decision, parts);
  const isFailed = decision.status === 'failed';
  const explained = isFailed ? await explainFailed(claimed, hash, parts) : [];
  const detail = [detailOf(decision), ...explained].join('; ');
  await writeDecision(claimed, hash, decision, detail, undefined, parts);
  await recordPaidElsewhere(record, fate, parts);
  const feeCharged = isFailed ? decision.feeCharged : 0n;
  const ledger = feeCharged > 0n ? decision.ledger : undefined;
  const known = knownFrom(fate, { hash, ledger, feeCharged });
  return { status: 'failed', hash, rejection: failedRefusal(known, payment.payer, detail) };
}

/** Records what became of the transaction, and turns it into the outcome of the settlement. */
export async function concludeSettlement(
  outcome: TransactionOutcome,
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  switch (outcome.status) {
    case 'rejected':
      return { status: 'rejected', rejection: refusalOf(outcome.rejection, claimed.payment.payer) };
    case 'never_sent':
      return refused('submission_failed', claimed, outcome.detail);
    case 'abandoned':
      return undecided(outcome.hash, claimed);
    case 'unproven': {
      const { hash } = outcome.transaction;
      parts.logger.warn({ hash }, 'the history does not reach back to this transaction');
      await recordUnproven(claimed, hash, parts);
      return undecided(hash, claimed);
    }
    case 'decided': {
      const { hash, decision } = outcome;
      return decision.status === 'succeeded'
        ? concludeSuccess(decision, hash, claimed, parts)
        : concludeFailure(decision, hash, claimed, parts);
    }
  }
}
