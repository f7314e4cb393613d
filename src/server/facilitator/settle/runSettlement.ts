import { RpcError } from '../../network/index.ts';
import { settleOnChannel } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { spendingOf } from '../limits/index.ts';
import { type Rejection, refusal, type SettleOutcome } from '../payment/index.ts';
import { concludeSettlement } from './concludeSettlement.ts';
import { lastLedgerOf } from './lastLedger.ts';
import {
  type ClaimedPayment,
  refused,
  type SettlementAttempt,
  type SettlementCallbacks,
  undecided,
} from './settlementAttempt.ts';

/** Steps 4 to 6, on a channel that is lent for them and given back on every way out. */
async function onChannel(
  attempt: SettlementAttempt,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, scheme, record } = attempt;
  const { channels, network, clock, limits, running, journal } = parts;

  // 4. One of the 50 channels, for this settlement alone.
  attempt.callbacks.onStore(true);
  const channel = await channels.acquire(limits.channelWaitMs);
  attempt.callbacks.onStore(false);
  if (channel === undefined) return refused('channels_busy', attempt);
  try {
    // 5. Rebuilt on the channel, verified there by simulation, since time has passed since /verify if
    // that was asked at all; fee-bumped by the sponsor, written down, submitted, decided.
    const outcome = await settleOnChannel<Rejection>(
      {
        operation: payment.operation,
        lastLedger(latestLedger) {
          const { expirationLedger } = payment.authorization;
          return lastLedgerOf(payment, expirationLedger, latestLedger, network);
        },
        simulate: (envelope) => scheme.simulate(payment, envelope),
        mayStillSend: () => !attempt.callbacks.givenUp(),
        async beforeSending(transaction) {
          attempt.journaled = transaction.hash;
          attempt.callbacks.onSending(transaction.hash);
          return journal.submitting(record, transaction, channel);
        },
        onSending: (hash) => {
          attempt.hash = hash;
        },
        onNotSent: () => {
          attempt.hash = undefined;
        },
        onPending: attempt.callbacks.onPending,
      },
      channel,
      { network, clock, running, sponsor: parts.sponsor.signer, ...limits },
    );
    // 6. The catalog hears of it, before the channel is free again.
    return await concludeSettlement(outcome, attempt, parts);
  } finally {
    channels.release(channel);
  }
}

/** Steps 3 to 6, with the worst fee put aside and given back on every way out. */
async function withReservation(
  attempt: SettlementAttempt,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  // 3. The sponsor can pay and stays above its floor (spec: Settlement path, 1).
  const reservation = await parts.sponsor.reserve(parts.limits.maxTxFeeStroops);
  if (reservation === undefined) return refused('sponsor_balance_low', attempt);
  const spending = spendingOf(attempt.request);
  try {
    const refusal = parts.spendControls.check(spending, parts.limits.maxTxFeeStroops, parts.logger);
    if (refusal !== undefined) return refused(refusal, attempt);
    return await onChannel(attempt, parts);
  } finally {
    reservation.close(attempt.feeCharged);
    parts.spendControls.charged(spending, attempt.feeCharged);
  }
}

/** What is answered when a step broke off. */
function brokenOff(
  error: unknown,
  attempt: SettlementAttempt,
  { logger }: FacilitatorParts,
): SettleOutcome {
  if (attempt.hash !== undefined) {
    // Whatever broke here, the transaction may be on its way: only its hash can tell.
    logger.error({ err: error, hash: attempt.hash }, 'settlement broke off after submission');
    return undecided(attempt.hash, attempt);
  }
  if (error instanceof RpcError) return refused('submission_failed', attempt, error.message);
  if (error instanceof StoreError) {
    logger.error({ reason: error.code }, 'the store gave no answer');
    return refused('store_unavailable', attempt, error.code);
  }
  throw error;
}

/**
 * Makes the authorization acceptable again after a settlement that submitted nothing. Until the
 * journal has it so, "never submitted" may not be said: whoever reads there that a transaction is
 * being submitted will see to it that it is.
 */
async function withdraw(
  outcome: Extract<SettleOutcome, { status: 'rejected' }>,
  attempt: SettlementAttempt,
  { journal, logger }: FacilitatorParts,
): Promise<SettleOutcome> {
  const { record, journaled } = attempt;
  try {
    if (journaled === undefined) await journal.release(record);
    else if (!(await journal.neverSent(record, outcome.rejection.detail ?? outcome.rejection.code)))
      return undecided(journaled, attempt);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code }, 'a settlement could not be taken back');
    if (journaled !== undefined) return undecided(journaled, attempt);
  }
  return outcome;
}

/**
 * Settles a claimed payment, step by step (spec: Settlement path). Resolves when the ledger has
 * decided; `callbacks` are told when that takes too long.
 */
export async function runSettlement(
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
  callbacks: SettlementCallbacks,
): Promise<SettleOutcome> {
  const attempt: SettlementAttempt = {
    ...claimed,
    callbacks,
    journaled: undefined,
    hash: undefined,
    feeCharged: 0n,
  };
  const { id, instance } = attempt.record;
  parts.local.startRunning(id);
  try {
    const outcome = await withReservation(attempt, parts).catch((error: unknown) =>
      brokenOff(error, attempt, parts),
    );
    if (outcome.status === 'rejected') return await withdraw(outcome, attempt, parts);
    // Taken for dead by other instances, this one may no longer tell: an identical request is told.
    if (outcome.status !== 'pending' && !parts.membership.isCurrent(instance)) {
      return undecided(outcome.hash, attempt);
    }
    return outcome;
  } catch (error) {
    const rejection = refusal('unexpected_settle_error', attempt.payment.payer);
    const outcome = await withdraw({ status: 'rejected', rejection }, attempt, parts);
    if (outcome.status === 'rejected') throw error;
    parts.logger.error({ err: error, hash: outcome.hash }, 'settlement broke off');
    return outcome;
  } finally {
    parts.local.stopRunning(id);
  }
}
