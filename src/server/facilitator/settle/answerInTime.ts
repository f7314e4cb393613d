import type { SettlementHash } from '../../../protocol/index.ts';
import { within } from '../../clock.ts';
import { RpcError } from '../../network/index.ts';
import type { SettlementRecord } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Held, Waiting } from '../localSettlements.ts';
import type { SettleOutcome } from '../payment/index.ts';
import {
  type ClaimedPayment,
  type Progress,
  refused,
  type Settling,
  undecided,
} from './settling.ts';

type Rejected = Extract<SettleOutcome, { status: 'rejected' }>;

/** How a settlement ended: with its outcome, or because a step failed. */
type Ended =
  | { readonly isFault: false; readonly outcome: SettleOutcome }
  | { readonly isFault: true; readonly error: unknown };

type Step =
  | { readonly isEnd: false; readonly progress: Progress }
  | { readonly isEnd: true; readonly ended: Ended };

/** What a settlement has done so far. */
interface Done {
  /** Last hash that the journal may have as being submitted. It is kept, whatever a server reports. */
  readonly recordedAs: SettlementHash | undefined;
  /** Hash of the transaction that may have reached the network; `undefined` if none can have. */
  readonly sentAs: SettlementHash | undefined;
  readonly waitsForStore: boolean;
}

const NOTHING_DONE: Done = { recordedAs: undefined, sentAs: undefined, waitsForStore: false };

function after(done: Done, progress: Progress): Done {
  switch (progress.at) {
    case 'store':
    case 'ledger':
      return { ...done, waitsForStore: progress.at === 'store' };
    case 'recording':
      return { ...done, recordedAs: progress.hash };
    case 'sending':
      return { ...done, sentAs: progress.hash };
    case 'not_sent':
      return { ...done, sentAs: undefined };
    case 'pending':
      return done;
  }
}

/** Waits for a step; a fault becomes a value. */
async function take(next: Promise<IteratorResult<Progress, SettleOutcome>>): Promise<Step> {
  try {
    const result = await next;
    return result.done === true
      ? { isEnd: true, ended: { isFault: false, outcome: result.value } }
      : { isEnd: false, progress: result.value };
  } catch (error) {
    return { isEnd: true, ended: { isFault: true, error } };
  }
}

/** Runs the remaining steps, up to the recording of a transaction if nobody waits for it any more. */
async function runOn(
  first: Promise<Step>,
  done: Done,
  isGivenUp: boolean,
  steps: Settling<SettleOutcome>,
  claimed: ClaimedPayment,
): Promise<{ readonly ended: Ended; readonly done: Done }> {
  let so = done;
  let step = await first;
  while (!step.isEnd) {
    if (isGivenUp && step.progress.at === 'recording') {
      const outcome = refused('submission_failed', claimed, 'no request waits for it');
      step = await take(steps.return(outcome));
    } else {
      so = after(so, step.progress);
      step = await take(steps.next());
    }
  }
  return { ended: step.ended, done: so };
}

/** Returns the outcome after a step failed with an error. Throws errors that nobody expects. */
function brokenOff(
  error: unknown,
  { sentAs }: Done,
  claimed: ClaimedPayment,
  { logger }: FacilitatorParts,
): SettleOutcome {
  if (sentAs !== undefined) {
    // Whatever failed here, the transaction may be on its way: only its hash leads to the outcome.
    logger.error({ err: error, hash: sentAs }, 'settlement failed after submission');
    return undecided(sentAs, claimed);
  }
  if (error instanceof RpcError) return refused('submission_failed', claimed, error.message);
  if (error instanceof StoreError) {
    logger.error({ reason: error.code }, 'the store did not answer');
    return refused('store_unavailable', claimed, error.code);
  }
  throw error;
}

/**
 * Makes the authorization acceptable again after a settlement that submitted nothing. Until the journal
 * has recorded that, the answer must not be "never submitted": an instance that reads there that a
 * transaction is being submitted will submit it.
 */
async function withdraw(
  outcome: Rejected,
  { recordedAs }: Done,
  isGivenUp: boolean,
  claimed: ClaimedPayment,
  { journal, membership, local, clock, logger }: FacilitatorParts,
): Promise<SettleOutcome> {
  const { record } = claimed;
  const { rejection } = outcome;
  // Recorded before the claim is released, so that identical requests in flight do not settle a refused payment.
  if (!isGivenUp) local.refuse(record, rejection, clock.elapsed());
  const text = JSON.stringify(rejection);
  try {
    const withdrawn =
      recordedAs === undefined
        ? await journal.release(record, text)
        : await journal.neverSent(record, rejection.detail ?? rejection.code, text);
    if (withdrawn) return outcome;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code }, 'could not undo a settlement');
    // Nothing was signed, and no other instance can have adopted it, since it was not released.
    if (recordedAs === undefined && membership.isCurrent(record.instance)) return outcome;
  }
  local.refusalTold(record, clock.elapsed());
  return recordedAs === undefined
    ? refused('store_unavailable', claimed)
    : undecided(recordedAs, claimed);
}

/** Turns the end of a settlement into its outcome. Rejects with errors that nobody expects. */
async function finish(
  ended: Ended,
  done: Done,
  isGivenUp: boolean,
  claimed: ClaimedPayment,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { id, instance } = claimed.record;
  try {
    const outcome = ended.isFault ? brokenOff(ended.error, done, claimed, parts) : ended.outcome;
    if (outcome.status === 'rejected') {
      return await withdraw(outcome, done, isGivenUp, claimed, parts);
    }
    // Other instances consider this one dead, so it must not report the outcome: an identical request gets it.
    if (outcome.status !== 'pending' && !parts.membership.isCurrent(instance)) {
      return undecided(outcome.hash, claimed);
    }
    return outcome;
  } catch (error) {
    const unexpected = refused('unexpected_settle_error', claimed);
    const outcome = await withdraw(unexpected, done, isGivenUp, claimed, parts);
    if (outcome.status === 'rejected') throw error;
    parts.logger.error({ err: error, hash: outcome.hash }, 'settlement failed');
    return outcome;
  } finally {
    parts.local.stopRunning(id);
  }
}

/**
 * 11. Runs the steps of a settlement and answers in time. If the ledger has not decided by the deadline, the answer is
 * `settlement_pending`, the settlement continues, and an identical request can ask for its outcome. If no transaction has been
 * recorded as being sent by then, none will be sent, and the payment is refused as never submitted.
 * @param deadline elapsed time of the clock by which the caller must have its answer
 */
export async function answerInTime(
  steps: Settling<SettleOutcome>,
  claimed: ClaimedPayment,
  caller: Caller | undefined,
  deadline: number,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { clock, local, payerFunds, logger } = parts;
  const { record } = claimed;
  local.startRunning(record.id);
  const duty = new AnswerDuty({ id: record.id, holder: record.instance }, caller, parts);
  const refuse = () => {
    duty.drop();
    return deliverRefusal(record, caller, parts);
  };
  let done = NOTHING_DONE;
  let taking = take(steps.next());
  let isPending = false;
  while (!isPending) {
    const step = await within(taking, Math.max(0, deadline - clock.elapsed()), clock);
    if (step === undefined) break;
    if (step.isEnd) return answerEnd(step.ended, done);
    done = after(done, step.progress);
    isPending = step.progress.at === 'pending';
    taking = take(steps.next());
  }
  const sentAs = isPending ? (done.sentAs ?? done.recordedAs) : done.recordedAs;
  void finishUnanswered(taking, done, sentAs === undefined);
  if (sentAs !== undefined) {
    await duty.owe();
    return undecided(sentAs, claimed);
  }
  const waitsForStore = done.waitsForStore || payerFunds.waitsForStore(record.id);
  const outcome = waitsForStore
    ? refused('store_unavailable', claimed, 'no answer in time')
    : refused('ledger_too_slow', claimed);
  local.refuse(record, outcome.rejection, clock.elapsed());
  await refuse();
  return outcome;

  async function answerEnd(ended: Ended, so: Done): Promise<SettleOutcome> {
    try {
      const value = await finish(ended, so, false, claimed, parts);
      if (value.status === 'rejected') await refuse();
      else if (value.status === 'pending') await duty.owe();
      else duty.answer();
      return value;
    } catch (error) {
      await refuse();
      throw error;
    }
  }

  /** The caller already has a different answer. */
  async function finishUnanswered(
    first: Promise<Step>,
    so: Done,
    isGivenUp: boolean,
  ): Promise<void> {
    const last = await runOn(first, so, isGivenUp, steps, claimed);
    try {
      await finish(last.ended, last.done, isGivenUp, claimed, parts);
      if (!isGivenUp) local.refusalTold(record, clock.elapsed());
    } catch (error) {
      logger.error({ err: error }, 'settlement failed');
      await refuse();
    }
  }
}

/** Maximum wait for the store to record that an outcome is owed. After that, only this process knows it. */
const RECORD_WITHIN_MS = 1_000;

/**
 * The duty to answer one caller of one settlement. It ends in one of three ways: the answer is
 * delivered, it is owed to an identical request, or there is no outcome. If the caller's connection ends
 * early, the answer is owed from that moment on.
 */
export class AnswerDuty {
  readonly #id: string;
  readonly #caller: Caller | undefined;
  readonly #parts: FacilitatorParts;
  readonly #waiting: Waiting;
  /** The name of this instance under which the journal has the caller. */
  readonly #holder: string;

  /** @param caller without one, the answer counts as delivered once it is computed */
  constructor({ id, holder }: Held, caller: Caller | undefined, parts: FacilitatorParts) {
    this.#id = id;
    this.#caller = caller;
    this.#parts = parts;
    this.#waiting = parts.local.startAwaiting(id);
    this.#holder = holder;
    void caller?.delivered.then((delivered) => {
      if (!delivered) void this.owe();
    });
  }

  /** Marks the outcome as being sent to the caller; its delivery is recorded once it arrives. */
  answer(): void {
    const { local } = this.#parts;
    const arrived = this.#caller?.delivered ?? Promise.resolve(true);
    void arrived.then(async (delivered) => {
      if (!delivered || !local.stopAwaiting(this.#waiting)) return;
      await recordDelivery(this.#id, this.#parts);
    });
  }

  /** Leaves the outcome to an identical request. */
  async owe(): Promise<void> {
    const { local, logger, clock } = this.#parts;
    if (!local.stopAwaiting(this.#waiting)) return;
    local.undelivered({ id: this.#id, holder: this.#holder });
    const recorded = recordUndelivered(this.#id, this.#parts).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      logger.error(
        { reason: error.code, id: this.#id },
        'could not record the undelivered outcome',
      );
    });
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.after(RECORD_WITHIN_MS, resolve);
      recorded.then(resolve, reject).finally(cancel);
    });
  }

  /** Ends the duty without an outcome. */
  drop(): void {
    this.#parts.local.stopAwaiting(this.#waiting);
  }
}

/**
 * Records that the outcome of a settlement is owed, if this process still knows it as undelivered. Until the journal has it, this
 * process remembers it and retries in each maintenance pass, because other instances give the outcome to nobody. Nobody here is
 * given it meanwhile: a late write would take it from that caller. Rejects with StoreError.
 */
export async function recordUndelivered(
  id: string,
  { journal, local }: Pick<FacilitatorParts, 'journal' | 'local'>,
): Promise<void> {
  const holder = local.holderOfUndelivered(id);
  if (holder === undefined || local.isAwaited(id)) return;
  const writing = local.startAwaiting(id);
  try {
    await journal.owe(id, holder);
    local.recorded(id);
  } finally {
    local.stopAwaiting(writing);
  }
}

/**
 * Records that the answer of a settlement was delivered. Until the journal has it, this process
 * remembers it and retries in each maintenance pass.
 */
export async function recordDelivery(
  id: string,
  { journal, local }: Pick<FacilitatorParts, 'journal' | 'local'>,
): Promise<void> {
  local.delivered(id);
  if (await journal.delivered(id)) local.recorded(id);
}

/** A connection is accepted in one turn of the event loop, its headers are read in the next, and its body after that. */
const TURNS_TO_READ = 4;

/**
 * Delays a refusal until all bytes that have arrived are read, and records when the caller has it or has disconnected.
 * Identical requests before that get the same refusal. Once a caller knows that no money moved, another request must not move
 * it.
 */
export async function deliverRefusal(
  record: SettlementRecord,
  caller: Caller | undefined,
  { local, clock }: Pick<FacilitatorParts, 'local' | 'clock'>,
): Promise<void> {
  for (let turn = 0; turn < TURNS_TO_READ; turn++) await clock.sleep(0);
  const told = () => local.refusalTold(record, clock.elapsed());
  if (caller === undefined) told();
  else void caller.delivered.then(told);
}

/** The caller that requested a settlement and gets its answer. */
export interface Caller {
  /**
   * Resolves to true when the answer was flushed to a connection that was still open, and to false as
   * soon as the connection has ended without it.
   */
  readonly delivered: Promise<boolean>;
  /** The name under which its spending and its unproven payments are counted; all callers of this process share one. */
  readonly client?: string | undefined;
}
