import type { AuthorizationFate } from '../../../protocol/fate/index.ts';
import type { AtomicAmount, SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import { arrivedIn } from '../../../protocol/stellar/index.ts';
import { type ExtensionResponses, notCataloged } from '../../../protocol/wire/index.ts';
import type {
  Conclusion,
  Decision,
  JournaledTransaction,
  PaymentTerms,
  SettlementRecord,
} from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import {
  answerUndeclared,
  type KnownFate,
  type PreparedPayment,
  type Refusal,
  type Rejection,
  refusal,
  refusalOf,
  type Settlement,
  type SettleOutcome,
} from '../payment/index.ts';
import { knownFrom, knownInRecord, knownOfShort, presentedIn } from '../truth/index.ts';
import { askWitnesses } from './ledgerWitness.ts';
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
      if (!parts.wasReset()) return undecided(outcome.hash, claimed);
      await recordUnproven(claimed, outcome.hash, parts);
      return lostWithNetwork(outcome.hash, claimed.payment.payer);
    case 'unproven': {
      const { hash } = outcome.transaction;
      parts.logger.warn({ hash }, 'the history does not reach back to this transaction');
      await recordUnproven(claimed, hash, parts);
      return parts.wasReset()
        ? lostWithNetwork(hash, claimed.payment.payer)
        : undecided(hash, claimed);
    }
    case 'decided': {
      const { hash, decision } = outcome;
      return decision.status === 'succeeded'
        ? concludeSuccess(decision, hash, claimed, parts)
        : concludeFailure(decision, hash, claimed, parts);
    }
  }
}

type Success<T> = Extract<T, { readonly status: 'succeeded' | 'short' }>;

/**
 * Compares a success with the payment. It proves that the call returned, and the simulation showed what it moved at another
 * ledger: a token of its own code may have moved something else this time. So what the included transaction shows counts.
 * Where nothing shows it, because the server returns no events, the success alone counts.
 */
export function concludedSuccess(
  { status, ledger, feeCharged, movements }: Success<Decision>,
  paid: PaymentTerms | undefined,
): Success<Conclusion> {
  if (movements === undefined || paid === undefined) return { status, ledger, feeCharged };
  const arrived = arrivedIn(movements, paid);
  if (arrived === paid.amount) return { status, ledger, feeCharged };
  return { status: arrived < paid.amount ? 'short' : status, ledger, feeCharged, arrived };
}

/** Compares the ledger's decision with the payment, if that is known. */
export function concluded(decision: Decision, paid: PaymentTerms | undefined): Conclusion {
  return decision.status === 'succeeded' ? concludedSuccess(decision, paid) : decision;
}

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

/** Returns why a payment was not made, for its record; `undefined` for one that was. */
export function detailOf(conclusion: Conclusion): string | undefined {
  switch (conclusion.status) {
    case 'succeeded':
      return undefined;
    case 'short':
      return `${conclusion.arrived} arrived`;
    case 'failed':
      return `FAILED ${conclusion.resultCode}`;
    case 'dropped':
      return 'no ledger included the transaction';
  }
}

/**
 * Refuses a second presentation. What the journal cannot prove, such as what became of an authorization whose transaction failed,
 * is added from the ledger later.
 */
export function replayRefusal(record: SettlementRecord, payer: StellarAddress): Refusal {
  const { state, transaction } = record;
  const proved = knownInRecord(record);
  const hash = transaction?.hash;
  if (proved !== undefined) return { ...refusal('authorization_replayed', payer), known: proved };
  if (state === 'failed') {
    const detail = `its transaction ${hash} failed on the ledger`;
    return refusal('authorization_replayed', payer, detail);
  }
  if (state === 'unproven') return refusal('authorization_replayed', payer);
  const detail = 'it is being settled: send the identical request again to get the outcome';
  const known = { moneyMoved: 'unknown', hash } as const;
  return { ...refusal('authorization_replayed', payer, detail), known };
}

/** Whether a settlement's network no longer exists, and with it what would show its outcome. */
export function isOfOldNetwork(
  { network }: SettlementRecord,
  { networkId }: Pick<FacilitatorParts, 'networkId'>,
): boolean {
  return network !== networkId;
}

/** The outcome of a settlement that was undecided when its network ended. */
export function lostWithNetwork(
  hash: SettlementHash | undefined,
  payer: StellarAddress,
): SettleOutcome {
  const known = { moneyMoved: 'unknown', hash } as const;
  const rejection = { ...refusal('network_reset', payer), known };
  return hash === undefined
    ? { status: 'rejected', rejection }
    : { status: 'failed', hash, rejection };
}

/** The outcome of a settlement whose transaction succeeded and shows less than the payment. */
export function shortOutcome(
  arrived: bigint,
  { hash, ledger }: { readonly hash: SettlementHash; readonly ledger: number | undefined },
  { payer, amount }: PreparedPayment,
): SettleOutcome {
  const known = knownOfShort(arrived, amount, { hash, ledger });
  return { status: 'failed', hash, rejection: { ...refusal('paid_less', payer), known } };
}

/** The payment with what arrived as its amount, if that is more than was agreed. */
export function asArrived(payment: PreparedPayment, arrived: bigint | undefined): PreparedPayment {
  return arrived === undefined ? payment : { ...payment, amount: arrived as AtomicAmount };
}

/** Returns the outcome in the journal; `undefined` while there is none. */
export function decidedOutcome(
  record: SettlementRecord,
  payment: PreparedPayment,
): SettleOutcome | undefined {
  const { payer } = payment;
  const hash = record.transaction?.hash;
  if (hash === undefined) return undefined;
  switch (record.state) {
    case 'settled': {
      const bazaar = notCataloged('cataloging_error');
      const paid = asArrived(payment, record.arrived);
      return {
        status: 'settled',
        payment: paid,
        hash,
        extensions: record.extensions ?? { bazaar },
      };
    }
    case 'failed': {
      const { arrived, ledger } = record;
      if (arrived !== undefined) return shortOutcome(arrived, { hash, ledger }, payment);
      const rejection = refusal('transaction_failed', payer, record.detail ?? 'failed');
      return { status: 'failed', hash, rejection };
    }
    default:
      return undefined;
  }
}

/** Returns the answer for an undecided settlement: the hash, if any, and no statement about money. */
export function undecidedOutcome(record: SettlementRecord, payer: StellarAddress): SettleOutcome {
  const rejection = refusal('settlement_pending', payer);
  const hash = record.transaction?.hash;
  return hash === undefined
    ? { status: 'rejected', rejection }
    : { status: 'pending', hash, rejection };
}

/**
 * Calls the catalog hook: whatever goes wrong in it, the payment stays settled. The journal records that the
 * call is due together with the settlement, so that it is repeated if the process ends before it.
 */
export async function notifyCatalog(
  settled: Omit<Settlement, 'isProved'>,
  record: SettlementRecord,
  parts: FacilitatorParts,
): Promise<ExtensionResponses> {
  try {
    const isProved = await parts.assets.has(settled.payment.asset);
    const extensions = await parts.onSettled({ ...settled, isProved });
    await parts.journal.cataloged(record, extensions);
    return extensions;
  } catch (error) {
    parts.logger.error({ err: error, hash: settled.hash }, 'cataloging failed');
    return { bazaar: notCataloged('cataloging_error') };
  }
}
