import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { withContext } from '../../logger.ts';
import { RpcError, type StellarNetwork } from '../../network/index.ts';
import {
  type Channel,
  type Decision,
  draftTransaction,
  type Fate,
  feeBumpedEnvelope,
  inclusionFeeWithin,
  innerTransaction,
  type JournaledTransaction,
  learnFate,
  nextSequence,
  proveDropped,
  proveNotTaken,
  resourceFeeOf,
  send,
  sequenceLost,
  sequenceUsed,
  totalBid,
  unsignedEnvelope,
} from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { describePause, spendingOf } from '../limits/index.ts';
import { type Rejection, refusalOf, type SettleOutcome } from '../payment/index.ts';
import { chooseScheme, readHolding } from '../schemes/index.ts';
import { answerInTime, type Caller } from './answerInTime.ts';
import { answerRepeat } from './answerRepeat.ts';
import { claimInTime, passRefusalOn } from './claimInTime.ts';
import { askOthers, concludeSettlement, type TransactionOutcome } from './concludeSettlement.ts';
import { lastLedgerOf } from './lastLedger.ts';
import { ledgerWitness } from './ledgerWitness.ts';
import { paymentIdentifierOf } from './paymentIdentifier.ts';
import { provePayer, refuseUnauthorized, simulatePayment } from './provePayer.ts';
import {
  type ClaimedPayment,
  refused,
  type Settling,
  type SignedPayment,
  type Simulated,
} from './settling.ts';

/**
 * Settles a payment (spec: Settlement path), or reconciles an identical request with the settlement
 * that the first one started. Its steps are the functions of this file, in order.
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
  if (authorization === undefined) {
    return refuseUnauthorized({ payment: prepared.value, scheme }, caller, deadline, parts);
  }
  const payment = { ...rest, authorization };
  const { payer, payTo, amount, warning } = payment;
  if (warning !== undefined) {
    parts.logger.warn({ payer, payTo, amount: `${amount}` }, warning);
  }
  const signed = { request, scheme, payment };
  if (!parts.membership.holdsLease) {
    // Other instances may adopt this one's work, so it could not answer for what it settles now.
    const reason = parts.membership.outdated
      ? 'a newer version changes the store'
      : 'this instance lost its lease';
    return refused('store_unavailable', signed, reason);
  }
  try {
    // 2. The payer proves itself: until then nothing is recorded or reserved in its name.
    const proof = await provePayer(signed, caller, deadline, parts);
    if (!proof.ok) return { status: 'rejected', rejection: proof.rejection };
    return await claim(signed, proof.simulated, { arrivedAt, deadline, caller }, parts);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    parts.logger.error({ reason: error.code }, 'the store did not answer');
    return refused('store_unavailable', signed, error.code);
  }
}

/** When a request arrived and has to be answered, in milliseconds of the monotonic clock, and who gets the answer. */
interface Arrival {
  readonly arrivedAt: number;
  readonly deadline: number;
  readonly caller: Caller | undefined;
}

/**
 * 3. Claims the authorization in the journal, and settles it. If it was claimed before, the answer is the outcome of the
 * settlement that has it. Rejects with StoreError.
 */
async function claim(
  signed: SignedPayment,
  simulated: Simulated | undefined,
  { arrivedAt, deadline, caller }: Arrival,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { request, payment } = signed;
  const { payer, payTo, asset, amount, authorization } = payment;
  const presented = {
    key: authorization.key,
    request,
    expirationLedger: authorization.expirationLedger,
    worstFee: parts.limits.maxTxFeeStroops,
    terms: { payer, payTo, asset, amount },
    client: caller?.client,
    paymentId: paymentIdentifierOf(request),
  };
  for (;;) {
    const id = parts.newId();
    const claimed = await claimInTime({ id, ...presented }, arrivedAt, deadline, parts);
    if (claimed === undefined) return refused('store_unavailable', signed, 'no answer in time');
    const { record } = claimed;
    if (claimed.refused !== undefined) {
      return passRefusalOn(claimed, claimed.refused, caller, parts);
    }
    if (claimed.claimed) {
      const logger = withContext(parts.logger, { settlement: id });
      logger.info({ payer, payTo, amount: `${amount}` }, 'settling');
      const own = { ...signed, record, simulated };
      const steps = settleClaimed(own, { ...parts, logger });
      return answerInTime(steps, own, caller, deadline, { ...parts, logger });
    }
    const outcome = await answerRepeat(record, { ...signed, caller }, parts);
    if (outcome !== 'released') return outcome;
    // The authorization is available again; the journal has the refusal of the other instance.
    if (parts.clock.elapsed() >= deadline) return refused('settlement_pending', signed);
  }
}

/** What a settlement has cost. */
interface Spent {
  /** Stroops of the sponsor. */
  readonly fee: bigint;
  /** The ledger in which the payment moved; `undefined` if it moved nothing. */
  readonly settledIn: number | undefined;
}

const NOTHING_SPENT: Spent = { fee: 0n, settledIn: undefined };

function spentOn(outcome: TransactionOutcome): Spent {
  if (outcome.status !== 'decided' || outcome.decision.status === 'dropped') return NOTHING_SPENT;
  const { status, feeCharged, ledger } = outcome.decision;
  return { fee: feeCharged, settledIn: status === 'succeeded' ? ledger : undefined };
}

/** Settles a claimed payment. Whatever it reserves is given back on every exit. */
async function* settleClaimed(
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Settling<SettleOutcome> {
  const pause = parts.backOff.waitFor(claimed.payment);
  if (pause > 0) return refused('payer_backoff', claimed, describePause(pause));
  // 4. The ledger accepts it. Until it does, nothing that others share is charged.
  const checked =
    claimed.simulated === undefined
      ? await simulatePayment(claimed, parts)
      : ({ ok: true, simulated: claimed.simulated } as const);
  if (!checked.ok) return { status: 'rejected', rejection: checked.rejection };
  const reserved = yield* reserve(claimed, parts);
  if (!reserved.ok) return reserved.outcome;
  let spent = NOTHING_SPENT;
  try {
    const submitted = yield* submit(claimed, checked.simulated, reserved.channel, parts);
    const outcome = await askOthers(submitted, claimed, parts);
    spent = spentOn(outcome);
    // 10. The decision is recorded and the catalog notified before the channel is released.
    return await concludeSettlement(outcome, claimed, parts);
  } finally {
    reserved.giveBack(spent);
  }
}

/** Everything that a settlement holds while it runs. */
type Reserved =
  | {
      readonly ok: true;
      readonly channel: Channel;
      readonly giveBack: (spent: Spent) => void;
    }
  | { readonly ok: false; readonly outcome: SettleOutcome };

/**
 * 5. Reserves the payer's funds, the sponsor's highest fee, the recipient's share of it, and a channel, in this order. If one
 * of them is not available, the others are given back.
 */
async function* reserve(claimed: ClaimedPayment, parts: FacilitatorParts): Settling<Reserved> {
  const { payment, scheme, record, request } = claimed;
  const { payer, asset, amount } = payment;
  const { network, limits, backOff, logger, channels } = parts;
  const held: ((spent: Spent) => void)[] = [];
  const giveBack = (spent: Spent): void => {
    for (const close of held.splice(0).reverse()) close(spent);
  };
  let isComplete = false;
  const unavailable = (code: Rejection['code'], detail?: string) =>
    ({ ok: false, outcome: refused(code, claimed, detail) }) as const;
  try {
    // The payer's funds cover this payment and those in flight.
    const funds = await parts.payerFunds.commit({
      id: record.id,
      payer,
      asset,
      amount,
      waitMs: limits.channelWaitMs,
      most: backOff.isSuspect(payment) ? 1 : limits.payerInFlight,
      readHolding: () => readHolding(payer, asset, network),
    });
    if (funds.status === 'busy') return unavailable('payer_in_flight');
    if (funds.status === 'lacking') {
      return unavailable(scheme.insufficientFunds, `${funds.held} held, ${amount} required`);
    }
    held.push(({ settledIn }) => funds.commitment.close(settledIn));
    // The sponsor can pay and stays above its floor (spec: Settlement path, 1).
    const fee = await parts.sponsor.reserve(limits.maxTxFeeStroops);
    if (fee === undefined) return unavailable('sponsor_balance_low');
    held.push((spent) => fee.close(spent.fee));
    const expense = parts.spendControls.open(
      spendingOf(request, record.client),
      limits.maxTxFeeStroops,
      logger,
    );
    if (typeof expense === 'string') return unavailable(expense);
    held.push((spent) => expense.close(spent.fee));
    // One of the 50 channels, for this settlement alone.
    yield { at: 'store' };
    const channel = await channels.acquire(limits.channelWaitMs);
    if (channel === undefined) return unavailable('channels_busy');
    held.push(() => channels.release(channel));
    yield { at: 'ledger' };
    isComplete = true;
    return { ok: true, channel, giveBack };
  } finally {
    if (!isComplete) giveBack(NOTHING_SPENT);
  }
}

/** A wrong sequence number is corrected from the ledger once. */
const SEQUENCE_ATTEMPTS = 2;

/** Signs the payment on a channel, records it, sends it, and finds its outcome, however long that takes. */
async function* submit(
  claimed: ClaimedPayment,
  simulated: Simulated,
  channel: Channel,
  parts: FacilitatorParts,
): Settling<TransactionOutcome> {
  const { network, clock, journal } = parts;
  let earlier: JournaledTransaction | undefined;
  for (let attempt = 1; ; attempt++) {
    const isUsable = attempt === 1 && isFresh(simulated, claimed, parts);
    const signed = await sign(claimed, isUsable ? simulated : undefined, channel, parts);
    if (!signed.ok) {
      // The payment was valid a moment ago: the first submission may have spent it.
      if (earlier === undefined || !(await isIncluded(earlier, network))) {
        return { status: 'rejected', rejection: signed.rejection };
      }
      yield { at: 'sending', hash: earlier.hash };
      return yield* prove(earlier, claimed, channel, parts);
    }
    const { transaction } = signed;
    const { hash } = transaction;

    // 7. Recorded, before it may be sent. Stopped here, it sends nothing.
    yield { at: 'recording', hash };
    if (!(await journal.submitting(claimed.record, transaction, channel))) {
      return { status: 'never_sent', detail: 'another instance has taken the settlement over' };
    }

    // 8. Sent. From here on, only the ledger shows the outcome.
    yield { at: 'sending', hash };
    const sent = await send(transaction, network, clock);
    if (sent.status === 'sent') return yield* prove(transaction, claimed, channel, parts);
    if (sent.status === 'never_sent') {
      yield { at: 'not_sent' };
      return sent;
    }
    if (!sent.badSequence) {
      return yield* proveRefused(transaction, sent.detail, claimed, channel, parts);
    }
    if (!(await proveNotTaken(transaction, channel.signer, network))) {
      return yield* prove(transaction, claimed, channel, parts);
    }
    yield { at: 'not_sent' };

    // The count was wrong and nothing was accepted: ask the ledger and retry once with its number.
    earlier = transaction;
    sequenceLost(channel);
    if (attempt >= SEQUENCE_ATTEMPTS) return { status: 'never_sent', detail: sent.detail };
  }
}

/** A simulation that is older proves too little about the ledger that will include the payment. */
const SIMULATION_LASTS_MS = 1_000;

/** Whether a simulation still holds: nothing took long, and no other payment of the payer was settled meanwhile. */
function isFresh(
  { begunAt }: Simulated,
  { payment: { payer, asset } }: ClaimedPayment,
  { clock, payerFunds }: FacilitatorParts,
): boolean {
  const isRecent = clock.elapsed() - begunAt <= SIMULATION_LASTS_MS;
  return isRecent && !payerFunds.hasChangedSince(payer, asset, begunAt);
}

/**
 * 6. Rebuilds the payer's operation on the channel, and signs it: the channel its transaction, the sponsor the fee bump around
 * it. It is simulated there, unless a simulation still holds, since which transaction carries it changes nothing in that.
 */
async function sign(
  { payment, scheme }: ClaimedPayment,
  simulated: Simulated | undefined,
  channel: Channel,
  { network, clock, limits, sponsor }: FacilitatorParts,
): Promise<{ ok: true; transaction: JournaledTransaction } | { ok: false; rejection: Rejection }> {
  const sequence = await nextSequence(channel, network, clock);
  const { signer } = channel;
  const parts = { channel: signer, sequence, operation: payment.operation };
  const checked =
    simulated === undefined
      ? await scheme.simulate(payment, unsignedEnvelope(draftTransaction(parts)))
      : ({ ok: true, value: simulated.success } as const);
  if (!checked.ok) return checked;
  const { encodedData: resources, latestLedger: sentAfter, resourceFee } = checked.value;
  const { expirationLedger } = payment.authorization;
  const lastLedger = lastLedgerOf(payment, expirationLedger, sentAfter, network);
  const highestResourceFee = resourceFeeOf(checked.value);
  const inclusionFee = inclusionFeeWithin({
    least: limits.inclusionFeeStroops,
    others: network.inclusionFee(),
    ceiling: limits.maxTxFeeStroops,
    resourceFee: highestResourceFee,
  });
  const inner = innerTransaction({ ...parts, resources, resourceFee, inclusionFee, lastLedger });
  const bid = totalBid(highestResourceFee, inclusionFee);
  const { hash, envelope } = feeBumpedEnvelope(inner, signer, sponsor.signer, bid);
  const { address } = signer;
  const transaction = { hash, envelope, channel: address, sequence, lastLedger, sentAfter };
  return { ok: true, transaction };
}

async function isIncluded(
  { hash }: JournaledTransaction,
  network: StellarNetwork,
): Promise<boolean> {
  try {
    return (await network.lookUp(hash)).status !== 'NOT_FOUND';
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return false;
  }
}

/** What the proofs of a transaction's fate need. */
function suspectOf(
  transaction: JournaledTransaction,
  { payment }: ClaimedPayment,
  { signer }: Channel,
  { network, sponsor, logger }: FacilitatorParts,
) {
  const witness = ledgerWitness({ ...transaction, payment, channel: signer }, network, logger);
  return { ...transaction, channel: signer, sponsor: sponsor.signer, witness };
}

/** 9. Waits for the ledger's decision, with proof, and derives the channel's next sequence number from it. */
async function* prove(
  transaction: JournaledTransaction,
  claimed: ClaimedPayment,
  channel: Channel,
  parts: FacilitatorParts,
): Settling<TransactionOutcome> {
  const { network, clock, running, limits } = parts;
  const { hash, envelope } = transaction;
  const suspect = suspectOf(transaction, claimed, channel, parts);
  const look = () => learnFate(suspect, clock.elapsed() + limits.confirmationMs, network, clock);
  let fate = await look();
  // After a reset, the outcome is known at once: nothing shows it any more.
  if (fate === undefined && !parts.wasReset()) yield { at: 'pending', hash };
  while (fate === undefined && running()) {
    // A server's queue may have dropped it. Sent again, it is the same transaction and counts once.
    await network.send(envelope).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
    fate = await look();
  }
  return outcomeOf(transaction, fate, channel);
}

/**
 * The same for a transaction that a server reports as not accepted. The server has the signed bytes, so the transaction is
 * excluded with a fence, or found. Once it is fenced off, it was never accepted.
 */
async function* proveRefused(
  transaction: JournaledTransaction,
  detail: string,
  claimed: ClaimedPayment,
  channel: Channel,
  parts: FacilitatorParts,
): Settling<TransactionOutcome> {
  const { network, clock, running, limits } = parts;
  const suspect = suspectOf(transaction, claimed, channel, parts);
  const look = () => proveDropped(suspect, clock.elapsed() + limits.confirmationMs, network, clock);
  let fate = await look();
  const isPending = fate === undefined && !parts.wasReset();
  if (isPending) yield { at: 'pending', hash: transaction.hash };
  while (fate === undefined && running()) fate = await look();
  // A caller that received the hash gets the outcome under that hash.
  if (fate?.status !== 'dropped' || isPending) return outcomeOf(transaction, fate, channel);
  sequenceLost(channel);
  yield { at: 'not_sent' };
  return { status: 'never_sent', detail };
}

function isIncludedIn(fate: Fate): fate is Exclude<Decision, { status: 'dropped' }> {
  return fate.status === 'succeeded' || fate.status === 'failed';
}

/** The outcome of a transaction that may have been sent; sets its channel's sequence number. */
function outcomeOf(
  transaction: JournaledTransaction,
  fate: Fate | undefined,
  channel: Channel,
): TransactionOutcome {
  const { hash, sequence } = transaction;
  if (fate !== undefined && isIncludedIn(fate)) sequenceUsed(channel, sequence, fate.ledger);
  else sequenceLost(channel);
  if (fate === undefined) return { status: 'abandoned', hash };
  if (fate.status === 'unproven') return { status: 'unproven', transaction };
  return { status: 'decided', hash, decision: fate };
}
