import type { StellarAddress } from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { RpcError } from '../../network/index.ts';
import {
  isSameOffer,
  isSameRequest,
  type SettlementJournal,
  type SettlementRecord,
} from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { describePause } from '../limits/index.ts';
import { type PreparedPayment, refusal, refusalOf, type VerifyOutcome } from '../payment/index.ts';
import { chooseScheme } from '../schemes/index.ts';
import {
  isSameSale,
  paymentIdentifierOf,
  refuseIfLimited,
  replayRefusal,
} from '../settle/index.ts';
import { within } from '../within.ts';

/** Whether this is the request that started the settlement. Scheme upto settles other requirements than it verifies. */
function isStartedBy(record: SettlementRecord, request: FacilitatorRequest): boolean {
  const { scheme } = request.paymentRequirements;
  return (scheme === 'upto' ? isSameOffer : isSameRequest)(record, request);
}

/** The settlement of an earlier request, and whether another caller waits for its answer here, or has it. */
interface Earlier {
  readonly record: SettlementRecord;
  readonly isTaken: boolean;
}

/** Whether `/settle` would answer this request with an outcome that is owed, or answer it again. */
function isOwed(
  { record, isTaken }: Earlier,
  request: FacilitatorRequest,
  { membership, clock }: FacilitatorParts,
): boolean {
  if (!isStartedBy(record, request)) return false;
  if (record.state === 'settled' && isSameSale(record, request, clock.now())) return true;
  if (isTaken) return false;
  // Held by this instance, whose caller disconnected before that could be recorded.
  const left = record.answer === 'held' && membership.isCurrent(record.heldBy ?? '');
  return record.answer === 'owed' || left;
}

/** Returns the record with this authorization, or else with this payment identifier, as in `/settle`. */
async function findRecord(
  payer: StellarAddress,
  key: AuthorizationKey,
  request: FacilitatorRequest,
  journal: SettlementJournal,
): Promise<SettlementRecord | undefined> {
  const paymentId = paymentIdentifierOf(request);
  const byKey = await journal.findByKey(key);
  if (byKey !== undefined || paymentId === undefined) return byKey;
  return journal.findByPaymentId(payer, paymentId);
}

/** Returns the settlement of an earlier request; `undefined` if there is none. */
async function findEarlier(
  payer: StellarAddress,
  key: AuthorizationKey,
  request: FacilitatorRequest,
  { journal, local }: FacilitatorParts,
): Promise<Earlier | undefined> {
  const found = await findRecord(payer, key, request, journal);
  if (found === undefined) return undefined;
  if (found.answer === 'given') return { record: found, isTaken: true };
  // The record is read again after this: if the answer is delivered while the journal is read, the record may lack both the
  // outcome and the delivery.
  const isTaken = local.isAwaited(found.id) || local.isDelivered(found.id);
  const record = await journal.find(found.id);
  return record === undefined || record.state === 'never_sent' ? undefined : { record, isTaken };
}

/** Returns the verdict on a payment that was presented for settlement before; `undefined` if it was not. */
async function judgeEarlier(
  payment: PreparedPayment,
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<VerifyOutcome | undefined> {
  const { payer, authorization } = payment;
  if (authorization === undefined) return undefined;
  const { limits, clock, logger } = parts;
  try {
    const looking = findEarlier(payer, authorization.key, request, parts).then((earlier) => ({
      earlier,
    }));
    const looked = await within(looking, limits.answerWithinMs, clock);
    if (looked === undefined) {
      const rejection = refusal('store_unavailable', payer, 'no answer in time');
      return { status: 'invalid', rejection };
    }
    const { earlier } = looked;
    if (earlier === undefined) return undefined;
    const { record } = earlier;
    if (record.key !== authorization.key) {
      return { status: 'invalid', rejection: refusal('payment_identifier_conflict', payer) };
    }
    if (isOwed(earlier, request, parts)) return { status: 'valid', payer };
    return { status: 'invalid', rejection: replayRefusal(record, payer) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code }, 'the store did not answer');
    return { status: 'invalid', rejection: refusal('store_unavailable', payer, error.code) };
  }
}

/** Verifies a payment. Changes nothing: the same payment may be verified any number of times. */
export async function verifyPayment(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<VerifyOutcome> {
  // 1. The form, which does not need the ledger.
  const scheme = chooseScheme(parts.schemes, request);
  const prepared = scheme.prepare(request, 'verify');
  if (!prepared.ok) {
    return { status: 'invalid', rejection: refusalOf(prepared.rejection, undefined) };
  }
  const payment = prepared.value;
  const { payer } = payment;

  // 2. Its signature verifies, as far as that shows without the ledger.
  if (payment.authorization?.judgeSignature() === 'invalid') {
    return { status: 'invalid', rejection: refusal(scheme.badSignature, payer) };
  }

  // 3. The authorization was not presented for settlement before. Or this same request presented it and
  // its outcome is owed: then the seller must be able to reach /settle, which answers with it.
  const earlier = await judgeEarlier(payment, request, parts);
  if (earlier !== undefined) return earlier;

  // 4. The ledger has not recently refused this payer's settlements to this recipient.
  const pause = parts.backOff.waitFor(payment);
  if (pause > 0) {
    const rejection = refusal('payer_backoff', payer, describePause(pause));
    return { status: 'invalid', rejection };
  }

  // 5. The limit of calls to the RPC server has room for it.
  const limited = refuseIfLimited(payer, parts);
  if (limited !== undefined) return { status: 'invalid', rejection: limited };

  // 6. The whole transaction, simulated against the ledger.
  try {
    const simulation = scheme.simulate(payment, payment.envelope);
    const simulated = await within(simulation, parts.limits.answerWithinMs, parts.clock);
    if (simulated === undefined) {
      const rejection = refusal('ledger_unavailable', payer, 'no answer in time');
      return { status: 'invalid', rejection };
    }
    return simulated.ok
      ? { status: 'valid', payer }
      : { status: 'invalid', rejection: refusalOf(simulated.rejection, payer) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    parts.logger.warn({ method: error.method, reason: error.code }, 'the ledger did not answer');
    const rejection = refusal('ledger_unavailable', payer, error.message);
    return { status: 'invalid', rejection };
  }
}
