import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { withContext } from '../../logger.ts';
import { RpcError } from '../../network/index.ts';
import type { Claim, Presented, SettlementRecord } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import {
  type PaymentScheme,
  type PreparedPayment,
  type Refusal,
  refusal,
  refusalOf,
  type SettleOutcome,
} from '../payment/index.ts';
import { chooseScheme } from '../schemes/index.ts';
import { within } from '../within.ts';
import { answerInTime } from './answerInTime.ts';
import { answerRepeat } from './answerRepeat.ts';
import type { Caller } from './caller.ts';
import { deliverRefusal } from './deliverRefusal.ts';
import { paymentIdentifierOf } from './paymentIdentifier.ts';

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

interface FirstClaim extends Claim {
  /** What an identical request was refused with that was under way at the same time. */
  readonly refused: Refusal | undefined;
  /** This process has nothing more to do with it. */
  readonly drop: () => void;
}

/** What an identical request was refused with, here or at another instance, while this one was under way. */
async function refusedMeanwhile(
  record: SettlementRecord,
  begunAt: number,
  { journal, local, clock }: FacilitatorParts,
): Promise<Refusal | undefined> {
  const here = local.refusalSince(record, begunAt);
  if (here !== undefined) return here;
  const told = await journal.refusalOf(record, () => clock.elapsed() - begunAt);
  return told === undefined ? undefined : (JSON.parse(told) as Refusal);
}

/** The claim, if the store makes it in time. One that comes late is given back: nothing was begun. */
async function claimInTime(
  presented: Presented,
  begunAt: number,
  deadline: number,
  parts: FacilitatorParts,
): Promise<FirstClaim | undefined> {
  const { journal, membership, local, clock, logger } = parts;
  const { id } = presented;
  // Known here before the journal has it, so that maintenance does not take it for left behind, and
  // an identical request does not take the right to be told.
  local.startRunning(id);
  const waiting = local.startAwaiting(id);
  const drop = () => {
    local.stopRunning(id);
    local.stopAwaiting(waiting);
  };
  const claiming = journal.claim(membership.id, presented).then(async (claim) => ({
    ...claim,
    drop,
    refused: claim.claimed ? await refusedMeanwhile(claim.record, begunAt, parts) : undefined,
  }));
  const claim = await within(claiming, deadline - clock.elapsed(), clock).catch(
    (error: unknown) => {
      drop();
      throw error;
    },
  );
  if (claim?.claimed !== true) drop();
  if (claim === undefined) {
    claiming
      .then(async ({ claimed, record }) => {
        if (claimed) await journal.release(record);
      })
      .catch((error: unknown) => logger.warn({ err: error, id }, 'a late claim was not released'));
  }
  return claim;
}

/**
 * Releases a claim before any work on it began, and refuses it like the identical request. If another
 * instance has the claim by now, this one does not know its outcome.
 */
async function passRefusalOn(
  { record, drop }: FirstClaim,
  rejection: Refusal,
  caller: Caller | undefined,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { journal, local, clock } = parts;
  local.refuse(record, rejection, clock.elapsed());
  try {
    const released = await journal.release(record, JSON.stringify(rejection));
    if (released) return { status: 'rejected', rejection };
    return { status: 'rejected', rejection: refusal('settlement_pending', rejection.payer) };
  } finally {
    drop();
    await deliverRefusal(record, caller, parts);
  }
}

/**
 * Settles a payment (spec: Settlement path), or reconciles an identical request with the settlement
 * that the first one began.
 * @param caller whoever gets the answer; without one it counts as delivered once it is returned
 */
export async function settlePayment(
  request: FacilitatorRequest,
  caller: Caller | undefined,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const begunAt = parts.clock.elapsed();
  const deadline = begunAt + parts.limits.answerWithinMs;
  // 1. The form, which needs no ledger.
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

  // 2. The authorization is presented for the first time, and that is written down.
  const presented = {
    key: authorization.key,
    request,
    expirationLedger: authorization.expirationLedger,
    worstFee: parts.limits.maxTxFeeStroops,
    terms: { payer, payTo, asset, amount },
    paymentId: paymentIdentifierOf(request),
  };
  if (!parts.membership.holdsLease) {
    // Others may take over what this instance does: what it would settle now could not be answered.
    return {
      status: 'rejected',
      rejection: refusal('store_unavailable', payer, 'this instance lost its lease'),
    };
  }
  try {
    for (;;) {
      const id = parts.newId();
      const claim = await claimInTime({ id, ...presented }, begunAt, deadline, parts);
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
      // It is to be had again, and the journal says what another instance refused it with.
      if (parts.clock.elapsed() >= deadline) {
        return { status: 'rejected', rejection: refusal('settlement_pending', payer) };
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    parts.logger.error({ reason: error.code }, 'the store gave no answer');
    return { status: 'rejected', rejection: refusal('store_unavailable', payer, error.code) };
  }
}
