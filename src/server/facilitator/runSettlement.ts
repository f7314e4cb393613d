import type { SettlementHash } from '../../protocol/index.ts';
import { type FacilitatorRequest, notCataloged } from '../../protocol/wire/index.ts';
import { RpcError } from '../network/index.ts';
import { type ChannelOutcome, settleOnChannel } from '../settlement/index.ts';
import { chooseScheme } from './chooseScheme.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import { lastLedgerOf } from './lastLedger.ts';
import type { Settlement } from './onSettled.ts';
import type { SettleOutcome } from './outcomes.ts';
import type { PaymentScheme, PreparedPayment } from './paymentScheme.ts';
import type { Rejection } from './rejection.ts';
import { spendingOf } from './spendingOf.ts';

/** What whoever waits for a settlement and the settlement tell each other. */
export interface SettlementWatch {
  /** Told when the ledger has not decided in time. */
  readonly onPending: (hash: SettlementHash) => void;
  /** Told right before a transaction may leave for the network, and of none when it was not taken. */
  readonly onSending: (hash: SettlementHash | undefined) => void;
  /** Whether nobody waits any more, so that nothing may be sent that has not been. */
  readonly givenUp: () => boolean;
}

/** A settlement under way: what is being settled, and whether it may have left for the network. */
interface Run {
  readonly request: FacilitatorRequest;
  readonly scheme: PaymentScheme;
  readonly payment: PreparedPayment & {
    readonly authorization: NonNullable<PreparedPayment['authorization']>;
  };
  readonly watch: SettlementWatch;
  /** Hash of the transaction that may have reached the network; `undefined` while none can have. */
  hash: SettlementHash | undefined;
  feeCharged: bigint;
}

function refuse(code: Rejection['code'], run: Run, detail?: string): SettleOutcome {
  const { payer } = run.payment;
  return {
    status: 'rejected',
    rejection: detail === undefined ? { code, payer } : { code, payer, detail },
  };
}

/** The catalog hook: whatever goes wrong in it, the payment stays settled. */
async function tellCatalog(settlement: Settlement, parts: FacilitatorParts) {
  try {
    return await parts.onSettled(settlement);
  } catch (error) {
    parts.logger.error({ err: error, hash: settlement.hash }, 'cataloging failed');
    return { bazaar: notCataloged('cataloging_error') };
  }
}

/** What the scheme can tell of a transaction that failed on the ledger; its silence changes nothing. */
async function explainFailed(
  { scheme, payment, hash }: Run,
  { logger }: FacilitatorParts,
): Promise<string[]> {
  try {
    const explanation = await scheme.explainFailed?.(payment);
    return explanation === undefined ? [] : [explanation];
  } catch (error) {
    logger.warn({ err: error, hash }, 'the failure could not be explained');
    return [];
  }
}

/** Reads what became of the transaction as the outcome of the settlement. */
async function conclude(
  channelOutcome: ChannelOutcome<Rejection>,
  run: Run,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, request } = run;
  const { payer } = payment;
  switch (channelOutcome.status) {
    case 'rejected':
      return { status: 'rejected', rejection: { payer, ...channelOutcome.rejection } };
    case 'never_sent':
      run.hash = undefined;
      return refuse('submission_failed', run, channelOutcome.detail);
    case 'abandoned': {
      const { hash } = channelOutcome;
      return { status: 'pending', hash, rejection: { code: 'settlement_pending', payer } };
    }
    case 'decided': {
      const { hash, decision } = channelOutcome;
      if (decision.status === 'succeeded') {
        run.feeCharged = decision.feeCharged;
        const settlement = { request, payment, hash, ledger: decision.ledger };
        const extensions = await tellCatalog(settlement, parts);
        return { status: 'settled', payment, hash, extensions };
      }
      if (decision.status === 'failed') run.feeCharged = decision.feeCharged;
      const detail =
        decision.status === 'failed'
          ? [decision.resultCode, ...(await explainFailed(run, parts))].join('; ')
          : 'no ledger included the transaction';
      return {
        status: 'failed',
        hash,
        rejection: { code: 'transaction_failed', payer, detail },
      };
    }
  }
}

/** Steps 4 to 6, on a channel that is lent for them and given back on every way out. */
async function onChannel(run: Run, parts: FacilitatorParts): Promise<SettleOutcome> {
  const { payment, scheme } = run;
  const { channels, network, clock, limits, running } = parts;

  // 4. One of the 50 channels, for this settlement alone.
  const channel = await channels.acquire(limits.channelWaitMs);
  if (channel === undefined) return refuse('channels_busy', run);
  try {
    // 5. Rebuilt on the channel, verified there by simulation, since time has passed since /verify if
    // that was asked at all; fee-bumped by the sponsor, submitted, decided.
    const outcome = await settleOnChannel<Rejection>(
      {
        operation: payment.operation,
        lastLedger(latestLedger) {
          parts.replayGuard.forgetExpired(latestLedger);
          const { expirationLedger } = payment.authorization;
          return lastLedgerOf(payment, expirationLedger, latestLedger, network);
        },
        simulate: (envelope) => scheme.simulate(payment, envelope),
        mayStillSend: () => !run.watch.givenUp(),
        onSending: (hash) => {
          run.hash = hash;
          run.watch.onSending(hash);
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
    return await conclude(outcome, run, parts);
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

/** Without an authorization of the payer there is nothing to claim; verification says what is wrong. */
async function refuseUnauthorized(
  payment: PreparedPayment,
  scheme: PaymentScheme,
): Promise<SettleOutcome> {
  const { payer } = payment;
  try {
    const checked = await scheme.simulate(payment, payment.envelope);
    const rejection = checked.ok ? ({ code: 'no_auth_entries' } as const) : checked.rejection;
    return { status: 'rejected', rejection: { payer, ...rejection } };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return {
      status: 'rejected',
      rejection: { code: 'submission_failed', payer, detail: error.message },
    };
  }
}

/**
 * Settles a payment, step by step (spec: Settlement path). Resolves when the ledger has decided;
 * `watch` is told when that takes too long.
 */
export async function runSettlement(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
  watch: SettlementWatch,
): Promise<SettleOutcome> {
  // 1. The form, which needs no ledger.
  const scheme = chooseScheme(parts.schemes, request);
  const prepared = scheme.prepare(request, 'settle');
  if (!prepared.ok) return { status: 'rejected', rejection: prepared.rejection };
  const payment = prepared.value;
  const { payer, authorization } = payment;
  if (authorization === undefined) return refuseUnauthorized(payment, scheme);
  if (payment.warning !== undefined) {
    parts.logger.warn(
      { payer, payTo: payment.payTo, amount: `${payment.amount}` },
      payment.warning,
    );
  }

  // 2. The authorization is presented for the first time.
  const claim = parts.replayGuard.claim(authorization.key, authorization.expirationLedger);
  if (claim === undefined) {
    return { status: 'rejected', rejection: { code: 'authorization_replayed', payer } };
  }
  const run: Run = {
    request,
    scheme,
    payment: { ...payment, authorization },
    watch,
    hash: undefined,
    feeCharged: 0n,
  };
  try {
    return await withReservation(run, parts);
  } catch (error) {
    if (run.hash !== undefined) {
      // Whatever broke here, the transaction may be on its way: only its hash can tell.
      parts.logger.error({ err: error, hash: run.hash }, 'settlement broke off after submission');
      return {
        status: 'pending',
        hash: run.hash,
        rejection: { code: 'settlement_pending', payer },
      };
    }
    if (error instanceof RpcError) return refuse('submission_failed', run, error.message);
    throw error;
  } finally {
    if (run.hash === undefined) claim.release();
  }
}
