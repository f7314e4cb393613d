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

/** Without an authorization of the payer there is nothing to claim; verification says what is wrong. */
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
 * that the first one began.
 */
export async function settlePayment(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  // 1. The form, which needs no ledger.
  const scheme = chooseScheme(parts.schemes, request);
  const prepared = scheme.prepare(request, 'settle');
  if (!prepared.ok)
    return { status: 'rejected', rejection: refusalOf(prepared.rejection, undefined) };
  const { authorization, ...rest } = prepared.value;
  if (authorization === undefined) return refuseUnauthorized(prepared.value, scheme);
  const payment = { ...rest, authorization };
  const { payer, payTo, amount, warning } = payment;
  if (warning !== undefined) {
    parts.logger.warn({ payer, payTo, amount: `${amount}` }, warning);
  }

  // 2. The authorization is presented for the first time, and that is written down.
  const presented = {
    key: authorization.key,
    request,
    expirationLedger: authorization.expirationLedger,
    worstFee: parts.limits.maxTxFeeStroops,
  };
  try {
    for (;;) {
      const id = parts.newId();
      // Known here before it stands in the journal, so that nobody takes it for left behind.
      parts.local.begin(id);
      let claimed = false;
      try {
        const claim = await parts.journal.claim(parts.membership.id, { id, ...presented });
        ({ claimed } = claim);
        if (claimed) {
          const logger = withContext(parts.logger, { settlement: id });
          logger.info({ payer, payTo, amount: `${amount}` }, 'settling');
          const run = { request, scheme, payment, record: claim.record };
          return await answerInTime(run, { ...parts, logger });
        }
        const told = await answerRepeat(claim.record, { request, scheme, payment }, parts);
        if (told !== 'released') return told;
      } finally {
        if (!claimed) parts.local.discard(id);
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    parts.logger.error({ reason: error.code }, 'the store gave no answer');
    return { status: 'rejected', rejection: refusal('store_unavailable', payer, error.code) };
  }
}
