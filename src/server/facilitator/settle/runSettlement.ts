import { RpcError } from '../../network/index.ts';
import { settleOnChannel } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { describePause, spendingOf } from '../limits/index.ts';
import { type Rejection, refusal, type SettleOutcome } from '../payment/index.ts';
import { readHolding } from '../schemes/index.ts';
import { concludeSettlement } from './concludeSettlement.ts';
import { lastLedgerOf } from './lastLedger.ts';
import { ledgerWitness } from './ledgerWitness.ts';
import {
  type ClaimedPayment,
  feeOf,
  refused,
  type SettlementAttempt,
  type SettlementCallbacks,
  undecided,
} from './settlementAttempt.ts';

/** Runs steps 5 to 7 on a channel, which it releases on every exit. */
async function onChannel(
  attempt: SettlementAttempt,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, scheme, record } = attempt;
  const { channels, network, clock, limits, running, journal, logger } = parts;

  // 5. One of the 50 channels, for this settlement alone.
  attempt.callbacks.onStore(true);
  const channel = await channels.acquire(limits.channelWaitMs);
  attempt.callbacks.onStore(false);
  if (channel === undefined) return refused('channels_busy', attempt);
  try {
    // 6. Rebuilt on the channel, verified there by simulation (time has passed since /verify, if that was
    // called at all), fee-bumped by the sponsor, recorded, submitted, decided.
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
        witness: (sent) =>
          ledgerWitness({ ...sent, payment, channel: channel.signer }, network, logger),
      },
      channel,
      { network, clock, running, sponsor: parts.sponsor.signer, ...limits },
    );
    // 7. The catalog is notified before the channel is released.
    return await concludeSettlement(outcome, attempt, parts);
  } finally {
    channels.release(channel);
  }
}

/** Runs steps 4 to 7 with the highest possible fee reserved, and releases it on every exit. */
async function withReservation(
  attempt: SettlementAttempt,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { sponsor, spendControls, limits, logger } = parts;
  // 4. The sponsor can pay and stays above its floor (spec: Settlement path, 1).
  const reservation = await sponsor.reserve(limits.maxTxFeeStroops);
  if (reservation === undefined) return refused('sponsor_balance_low', attempt);
  try {
    const spending = spendingOf(attempt.request, attempt.record.client);
    const expense = spendControls.open(spending, limits.maxTxFeeStroops, logger);
    if (typeof expense === 'string') return refused(expense, attempt);
    try {
      return await onChannel(attempt, parts);
    } finally {
      expense.close(feeOf(attempt));
    }
  } finally {
    reservation.close(feeOf(attempt));
  }
}

/** Runs steps 3 to 7 with the payer's funds reserved, and releases them on every exit. */
async function withFunds(
  attempt: SettlementAttempt,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, scheme, record, callbacks } = attempt;
  const { network, limits, backOff } = parts;
  const { payer, asset, amount } = payment;
  // 3. The payer's funds cover this payment and those in flight.
  const pause = backOff.waitFor(payment);
  if (pause > 0) return refused('payer_backoff', attempt, describePause(pause));
  const funds = await parts.payerFunds.commit({
    id: record.id,
    payer,
    asset,
    amount,
    waitMs: limits.channelWaitMs,
    most: backOff.isSuspect(payment) ? 1 : limits.payerInFlight,
    readHolding: () => readHolding(payer, asset, network),
    onStore: callbacks.onStore,
  });
  if (funds.status === 'busy') return refused('payer_in_flight', attempt);
  if (funds.status === 'lacking') {
    const detail = `${funds.held} held, ${amount} required`;
    return refused(scheme.insufficientFunds, attempt, detail);
  }
  try {
    return await withReservation(attempt, parts);
  } finally {
    const { decision } = attempt;
    funds.commitment.close(decision?.status === 'succeeded' ? decision.ledger : undefined);
  }
}

/** Returns the outcome after a step failed with an error. */
function brokenOff(
  error: unknown,
  attempt: SettlementAttempt,
  { logger }: FacilitatorParts,
): SettleOutcome {
  if (attempt.hash !== undefined) {
    // Whatever failed here, the transaction may be on its way: only its hash leads to the outcome.
    logger.error({ err: error, hash: attempt.hash }, 'settlement failed after submission');
    return undecided(attempt.hash, attempt);
  }
  if (error instanceof RpcError) return refused('submission_failed', attempt, error.message);
  if (error instanceof StoreError) {
    logger.error({ reason: error.code }, 'the store did not answer');
    const { payer } = attempt.payment;
    return {
      status: 'rejected',
      rejection: refusal('store_unavailable', payer, error.code),
    };
  }
  throw error;
}

/**
 * Makes the authorization acceptable again after a settlement that submitted nothing. Until the journal
 * has recorded that, the answer must not be "never submitted": an instance that reads there that a
 * transaction is being submitted will submit it.
 */
async function withdraw(
  outcome: Extract<SettleOutcome, { status: 'rejected' }>,
  attempt: SettlementAttempt,
  { journal, membership, local, clock, logger }: FacilitatorParts,
): Promise<SettleOutcome> {
  const { record, journaled } = attempt;
  const { rejection } = outcome;
  // Recorded before the claim is released, so that identical requests in flight do not settle a refused payment.
  if (!attempt.callbacks.givenUp()) local.refuse(record, rejection, clock.elapsed());
  const told = JSON.stringify(rejection);
  try {
    const withdrawn =
      journaled === undefined
        ? await journal.release(record, told)
        : await journal.neverSent(record, rejection.detail ?? rejection.code, told);
    if (withdrawn) return outcome;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code }, 'could not undo a settlement');
    // Nothing was signed, and no other instance can have adopted it, since it was not released.
    if (journaled === undefined && membership.isCurrent(record.instance)) return outcome;
  }
  local.refusalTold(record, clock.elapsed());
  return journaled === undefined
    ? refused('store_unavailable', attempt)
    : undecided(journaled, attempt);
}

/**
 * Settles a claimed payment, step by step (spec: Settlement path). Resolves when the ledger has
 * decided; calls `callbacks.onPending` if that takes too long.
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
    decision: undefined,
  };
  const { id, instance } = attempt.record;
  parts.local.startRunning(id);
  try {
    const outcome = await withFunds(attempt, parts).catch((error: unknown) =>
      brokenOff(error, attempt, parts),
    );
    if (outcome.status === 'rejected') return await withdraw(outcome, attempt, parts);
    // Other instances consider this one dead, so it must not report the outcome: an identical request gets it.
    if (outcome.status !== 'pending' && !parts.membership.isCurrent(instance)) {
      return undecided(outcome.hash, attempt);
    }
    return outcome;
  } catch (error) {
    const rejection = refusal('unexpected_settle_error', attempt.payment.payer);
    const outcome = await withdraw({ status: 'rejected', rejection }, attempt, parts);
    if (outcome.status === 'rejected') throw error;
    parts.logger.error({ err: error, hash: outcome.hash }, 'settlement failed');
    return outcome;
  } finally {
    parts.local.stopRunning(id);
  }
}
