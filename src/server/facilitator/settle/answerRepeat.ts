import { isDropped, isSameRequest, type SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Held } from '../localSettlements.ts';
import { type PreparedPayment, refusal, type SettleOutcome } from '../payment/index.ts';
import { AnswerDuty, type Caller } from './answerInTime.ts';
import { isSameSale, namesSameSale } from './claimInTime.ts';
import {
  decidedOutcome,
  isOfOldNetwork,
  lostWithNetwork,
  recordLate,
  replayRefusal,
  undecidedOutcome,
} from './concludeSettlement.ts';
import { askWitnesses } from './ledgerWitness.ts';
import type { SignedPayment } from './settling.ts';

/** How often to check the journal for changes by another caller or instance. */
const LOOK_MS = 25;
/** How long another caller may take to receive a decided answer before it counts as delivered. */
const DELIVERY_MS = 3_000;

export type Repeat = SignedPayment & {
  readonly caller: Caller | undefined;
};

/** Waits for the settlement's outcome, with the right to receive it. Rejects with StoreError. */
async function awaitOutcome(
  { id, holder }: Held,
  { payment }: Repeat,
  duty: AnswerDuty,
  deadline: number,
  parts: FacilitatorParts,
): Promise<SettleOutcome | 'released'> {
  const { journal, clock, membership } = parts;
  try {
    for (;;) {
      const record = await journal.find(id);
      // An earlier run of the service signed nothing for it, or the network accepted none of its transactions.
      if (record === undefined || record.state === 'never_sent') {
        duty.drop();
        return 'released';
      }
      if (record.heldBy !== holder || !membership.isCurrent(holder)) {
        // Other instances consider this one dead, so it must not report the outcome.
        duty.drop();
        return undecidedOutcome(record, payment.payer);
      }
      const outcome = decidedOutcome(record, payment);
      const catalogDue = record.catalog === 'due' && clock.elapsed() < deadline;
      if (outcome !== undefined && !catalogDue) {
        duty.answer();
        return outcome;
      }
      if (record.state === 'unproven' || clock.elapsed() >= deadline) {
        await duty.owe();
        return undecidedOutcome(record, payment.payer);
      }
      await clock.sleep(LOOK_MS);
    }
  } catch (error) {
    // This caller gets the error instead.
    void duty.owe();
    throw error;
  }
}

/**
 * Claims the right to receive the outcome for a caller, if no other one has it. While it asks the store, no other caller of this process
 * does: both would read that nobody waits, and the second would take what the first was given.
 */
async function takeAnswer(
  record: SettlementRecord,
  holder: string,
  caller: Caller | undefined,
  parts: FacilitatorParts,
): Promise<AnswerDuty | undefined> {
  const { journal, membership, local } = parts;
  const { id, answer, heldBy } = record;
  if (local.isAwaited(id) || local.isDelivered(id)) return undefined;
  const waiting = local.startAwaiting(id);
  try {
    if (answer === 'held' && heldBy !== undefined && membership.isCurrent(heldBy)) {
      // Its caller here disconnected, but that could not be recorded.
      await journal.owe(id, heldBy);
    }
    if (await journal.takeAnswer(id, holder)) {
      local.recorded(id);
      return new AnswerDuty({ id, holder }, caller, parts);
    }
  } catch (error) {
    // The store may have given it to this caller, which gets an error.
    local.undelivered({ id, holder });
    throw error;
  } finally {
    // The duty waits by itself.
    local.stopAwaiting(waiting);
  }
  return undefined;
}

/**
 * Answers a request whose authorization already has a settlement, with the outcome of that one; nothing is submitted again
 * (core: `settlement_pending`). The identical request gets the outcome if no caller has received it. Later repeats and any
 * other request are refused as replays, with the hash and whether money moved. If a second caller received a success, a seller
 * would serve two requests for one payment. A seller that declares payment identifiers recognizes the sale, and is answered
 * each time. Once the answer was that no ledger included the transaction, the payment may be presented again.
 * @returns `released` if the authorization is available again
 */
export async function answerRepeat(
  first: SettlementRecord,
  repeat: Repeat,
  parts: FacilitatorParts,
): Promise<SettleOutcome | 'released'> {
  const { journal, local, clock, limits } = parts;
  const { payer, authorization } = repeat.payment;
  if (first.key !== authorization.key && first.state !== 'never_sent') {
    return { status: 'rejected', rejection: refusal('payment_identifier_conflict', payer) };
  }
  if (
    isOfOldNetwork(first, parts) &&
    (first.state === 'unproven' || first.state === 'submitting')
  ) {
    return lostWithNetwork(first.transaction?.hash, payer);
  }
  // Not while another request waits for that answer: the two must not be answered differently.
  if (isDropped(first) && first.answer === 'given') {
    await journal.reopen(first);
    return 'released';
  }
  const deadline = clock.elapsed() + limits.confirmationMs;
  const isSame = isSameRequest(first, repeat.request);
  let decidedAt: number | undefined;
  let isDelivered = false;
  const known = await learnUnproven(first, repeat.payment, parts);
  for (let record: SettlementRecord | undefined = known; ; ) {
    if (record?.key === undefined) return 'released';
    const replayed = { status: 'rejected', rejection: replayRefusal(record, payer) } as const;
    if (!isSame) {
      if (!namesSameSale(record, repeat.request)) return replayed;
      return {
        ...replayed,
        rejection: { ...replayed.rejection, code: 'payment_identifier_conflict' },
      };
    }
    const outcome = decidedOutcome(record, repeat.payment);
    if (record.answer === 'given' || isDelivered) {
      return outcome !== undefined && isSameSale(record, repeat.request, clock.now())
        ? outcome
        : replayed;
    }
    const holder = parts.membership.id;
    const duty = await takeAnswer(record, holder, repeat.caller, parts);
    if (duty !== undefined) {
      return awaitOutcome({ id: record.id, holder }, repeat, duty, deadline, parts);
    }
    // Another caller waits for it, here or at another instance.
    const now = clock.elapsed();
    if (outcome !== undefined) {
      decidedAt ??= now;
      if (now >= Math.min(deadline, decidedAt + DELIVERY_MS)) return replayed;
    } else if (record.state === 'unproven' || now >= deadline) {
      return undecidedOutcome(record, payer);
    }
    await clock.sleep(LOOK_MS);
    // Looked up before the record is read: if the answer is delivered between the two, the record may lack the outcome.
    isDelivered = local.isDelivered(record.id);
    record = await journal.find(record.id);
  }
}

/**
 * Looks again for the outcome of an unproven settlement, because a server's history may be available again. Called by repeated
 * requests as well as periodically. Rejects with StoreError.
 * @returns the record, decided or not
 */
async function learnUnproven(
  record: SettlementRecord,
  payment: PreparedPayment,
  parts: FacilitatorParts,
): Promise<SettlementRecord> {
  if (record.state !== 'unproven' || isOfOldNetwork(record, parts)) return record;
  const decision = await askWitnesses(record, payment, parts);
  if (decision === undefined) return record;
  await recordLate(record, decision, payment, parts);
  return (await parts.journal.find(record.id)) ?? record;
}
