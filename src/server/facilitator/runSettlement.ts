import { RpcError } from '../network/index.ts';
import { settleOnChannel } from '../settlement/index.ts';
import { StoreError } from '../store/index.ts';
import { concludeSettlement } from './concludeSettlement.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import { lastLedgerOf } from './lastLedger.ts';
import type { SettleOutcome } from './outcomes.ts';
import type { Rejection } from './rejection.ts';
import {
  type ClaimedPayment,
  pending,
  type Run,
  refuse,
  type SettlementWatch,
} from './settlementRun.ts';
import { spendingOf } from './spendingOf.ts';

/** Steps 4 to 6, on a channel that is lent for them and given back on every way out. */
async function onChannel(run: Run, parts: FacilitatorParts): Promise<SettleOutcome> {
  const { payment, scheme, record } = run;
  const { channels, network, clock, limits, running, journal } = parts;

  // 4. One of the 50 channels, for this settlement alone.
  const channel = await channels.acquire(limits.channelWaitMs);
  if (channel === undefined) return refuse('channels_busy', run);
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
        mayStillSend: () => !run.watch.givenUp(),
        async beforeSending(transaction) {
          run.journaled = transaction.hash;
          run.watch.onSending(transaction.hash);
          return journal.submitting(record, transaction, channel);
        },
        onSending: (hash) => {
          run.hash = hash;
        },
        onNotSent: () => {
          run.hash = undefined;
          run.watch.onSending(undefined);
        },
        onPending: run.watch.onPending,
      },
      channel,
      { network, clock, running, sponsor: parts.sponsor.signer, ...limits },
    );
    // 6. The catalog hears of it, before the channel is free again.
    return await concludeSettlement(outcome, run, parts);
  } finally {
    channels.release(channel);
  }
}

/** Steps 3 to 6, with the worst fee put aside and given back on every way out. */
async function withReservation(run: Run, parts: FacilitatorParts): Promise<SettleOutcome> {
  // 3. The sponsor can pay and stays above its floor (spec: Settlement path, 1).
  const reservation = await parts.sponsor.reserve(parts.limits.maxTxFeeStroops);
  if (reservation === undefined) return refuse('sponsor_balance_low', run);
  const spending = spendingOf(run.request);
  try {
    const refusal = parts.spendControls.check(spending, parts.limits.maxTxFeeStroops, parts.logger);
    if (refusal !== undefined) return refuse(refusal, run);
    return await onChannel(run, parts);
  } finally {
    reservation.close(run.feeCharged);
    parts.spendControls.charged(spending, run.feeCharged);
  }
}

/** What is answered when a step broke off. */
function brokenOff(error: unknown, run: Run, { logger }: FacilitatorParts): SettleOutcome {
  if (run.hash !== undefined) {
    // Whatever broke here, the transaction may be on its way: only its hash can tell.
    logger.error({ err: error, hash: run.hash }, 'settlement broke off after submission');
    return pending(run.hash, run);
  }
  if (error instanceof RpcError) return refuse('submission_failed', run, error.message);
  if (error instanceof StoreError) {
    logger.error({ reason: error.code }, 'the store gave no answer');
    return refuse('store_unavailable', run, error.code);
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
  run: Run,
  { journal, logger }: FacilitatorParts,
): Promise<SettleOutcome> {
  const { record, journaled } = run;
  try {
    if (journaled === undefined) await journal.release(record);
    else if (!(await journal.neverSent(record, outcome.rejection.detail ?? outcome.rejection.code)))
      return pending(journaled, run);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code }, 'a settlement could not be taken back');
    if (journaled !== undefined) return pending(journaled, run);
  }
  return outcome;
}

/**
 * Settles a claimed payment, step by step (spec: Settlement path). Resolves when the ledger has
 * decided; `watch` is told when that takes too long.
 */
export async function runSettlement(
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
  watch: SettlementWatch,
): Promise<SettleOutcome> {
  const run: Run = { ...claimed, watch, journaled: undefined, hash: undefined, feeCharged: 0n };
  const { id, instance } = run.record;
  parts.runningHere.add(id);
  try {
    const outcome = await withReservation(run, parts).catch((error: unknown) =>
      brokenOff(error, run, parts),
    );
    if (outcome.status === 'rejected') return await withdraw(outcome, run, parts);
    // Taken for dead by other instances, this one may no longer tell: an identical request is told.
    if (outcome.status !== 'pending' && !parts.membership.isCurrent(instance)) {
      return pending(outcome.hash, run);
    }
    return outcome;
  } catch (error) {
    await withdraw(
      { status: 'rejected', rejection: { code: 'unexpected_settle_error' } },
      run,
      parts,
    );
    throw error;
  } finally {
    parts.runningHere.delete(id);
  }
}
