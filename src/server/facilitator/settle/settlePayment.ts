import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { withContext } from '../../logger.ts';
import { RpcError } from '../../network/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import {
  type PaymentScheme,
  type PreparedPayment,
  refusal,
  refusalOf,
  type SettleOutcome,
} from '../payment/index.ts';
import { chooseScheme } from '../schemes/index.ts';
import { answerInTime } from './answerInTime.ts';
import { answerRepeat } from './answerRepeat.ts';
import type { Caller } from './caller.ts';
import { claimInTime, passRefusalOn } from './claimInTime.ts';
import { paymentIdentifierOf } from './paymentIdentifier.ts';

/** Without the payer's authorization there is nothing to claim; verification returns the reason. */
async function refuseUnauthorized(
  payment: PreparedPayment,
  scheme: PaymentScheme,
): Promise<SettleOutcome> {
  const { payer } = payment;
  try {
    const checked = await scheme.simulate(payment, payment.envelope);
    const found = checked.ok ? ({ code: 'no_auth_entries' } as const) : checked.rejection;
    return { status: 'rejected', rejection: refusalOf(found, payer) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return {
      status: 'rejected',
      rejection: refusal('submission_failed', payer, error.message),
    };
  }
}

/**
 * Settles a payment (spec: Settlement path), or reconciles an identical request with the settlement
 * that the first one started.
 * @param caller receives the answer; without one, the answer counts as delivered once it is returned
 */
export async function settlePayment(
  request: FacilitatorRequest,
  caller: Caller | undefined,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const deadline = parts.clock.elapsed() + parts.limits.answerWithinMs;
  const arrivedAt = parts.stalls?.arrivedAt() ?? parts.clock.elapsed();
  // 1. The form, which does not need the ledger.
  const scheme = chooseScheme(parts.schemes, request);
  const prepared = scheme.prepare(request, 'settle');
  if (!prepared.ok) {
    return { status: 'rejected', rejection: refusalOf(prepared.rejection, undefined) };
  }
  const { authorization, ...rest } = prepared.value;
  if (authorization === undefined) return refuseUnauthorized(prepared.value, scheme);
  const payment = { ...rest, authorization };
  const { payer, payTo, asset, amount, warning } = payment;
  if (warning !== undefined) {
    parts.logger.warn({ payer, payTo, amount: `${amount}` }, warning);
  }

  // 2. The authorization is presented for the first time, which is recorded.
  const presented = {
    key: authorization.key,
    request,
    expirationLedger: authorization.expirationLedger,
    worstFee: parts.limits.maxTxFeeStroops,
    terms: { payer, payTo, asset, amount },
    client: caller?.client,
    paymentId: paymentIdentifierOf(request),
  };
  if (!parts.membership.holdsLease) {
    // Other instances may adopt this one's work, so it could not answer for what it settles now.
    return {
      status: 'rejected',
      rejection: refusal(
        'store_unavailable',
        payer,
        parts.membership.outdated
          ? 'a newer version changes the store'
          : 'this instance lost its lease',
      ),
    };
  }
  try {
    for (;;) {
      const id = parts.newId();
      const claim = await claimInTime({ id, ...presented }, arrivedAt, deadline, parts);
      if (claim === undefined) {
        const rejection = refusal('store_unavailable', payer, 'no answer in time');
        return { status: 'rejected', rejection };
      }
      if (claim.refused !== undefined) {
        return await passRefusalOn(claim, claim.refused, caller, parts);
      }
      if (claim.claimed) {
        const logger = withContext(parts.logger, { settlement: id });
        logger.info({ payer, payTo, amount: `${amount}` }, 'settling');
        const claimed = { request, scheme, payment, record: claim.record };
        return await answerInTime(claimed, caller, deadline, { ...parts, logger });
      }
      const repeat = { request, scheme, payment, caller };
      const outcome = await answerRepeat(claim.record, repeat, parts);
      if (outcome !== 'released') return outcome;
      // The authorization is available again; the journal has the refusal of the other instance.
      if (parts.clock.elapsed() >= deadline) {
        return { status: 'rejected', rejection: refusal('settlement_pending', payer) };
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    parts.logger.error({ reason: error.code }, 'the store did not answer');
    return { status: 'rejected', rejection: refusal('store_unavailable', payer, error.code) };
  }
}
