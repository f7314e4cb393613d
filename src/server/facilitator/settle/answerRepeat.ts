import { notCataloged } from '../../../protocol/wire/index.ts';
import { requestDigest, type SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { refusal, type SettleOutcome } from '../payment/index.ts';
import { recordDelivery } from './recordDelivery.ts';
import type { ClaimedPayment } from './settlementAttempt.ts';

/** How often the journal is looked at for what another caller or instance does. */
const LOOK_MS = 25;

type Repeat = Omit<ClaimedPayment, 'record'>;

/** The outcome that the journal has; `undefined` while there is none. */
function outcomeOf(record: SettlementRecord, { payment }: Repeat): SettleOutcome | undefined {
  const { payer } = payment;
  const hash = record.transaction?.hash;
  switch (record.state) {
    case 'settled': {
      if (hash === undefined) return undefined;
      const bazaar = notCataloged('cataloging_error');
      return { status: 'settled', payment, hash, extensions: record.extensions ?? { bazaar } };
    }
    case 'failed': {
      if (hash === undefined) return undefined;
      const detail = record.detail ?? 'failed';
      return { status: 'failed', hash, rejection: refusal('transaction_failed', payer, detail) };
    }
    case 'never_sent': {
      const detail = record.detail ?? 'never sent';
      return { status: 'rejected', rejection: refusal('submission_failed', payer, detail) };
    }
    default:
      return undefined;
  }
}

function undecided(record: SettlementRecord, { payment: { payer } }: Repeat): SettleOutcome {
  const hash = record.transaction?.hash;
  return hash === undefined
    ? { status: 'rejected', rejection: refusal('authorization_replayed', payer) }
    : { status: 'pending', hash, rejection: refusal('settlement_pending', payer) };
}

/** Waits for what becomes of the settlement; this caller, and no other, is told. */
async function awaitOutcome(
  id: string,
  repeat: Repeat,
  deadline: number,
  parts: FacilitatorParts,
): Promise<SettleOutcome | 'released'> {
  const { journal, local, clock } = parts;
  let told = false;
  try {
    for (;;) {
      const record = await journal.find(id);
      // An earlier run of the service had not signed anything for it.
      if (record === undefined) return 'released';
      const outcome = outcomeOf(record, repeat);
      const catalogDue = record.catalog === 'due' && clock.now() < deadline;
      if (outcome !== undefined && !catalogDue) {
        told = true;
        void recordDelivery(id, parts);
        return outcome;
      }
      if (clock.now() >= deadline) {
        await journal.owe(id);
        return undecided(record, repeat);
      }
      await clock.sleep(LOOK_MS);
    }
  } finally {
    if (!told) local.stopAwaiting(id);
  }
}

/** Takes the right to be told; false when another caller has it. */
async function take(
  id: string,
  { journal, local, membership }: FacilitatorParts,
): Promise<boolean> {
  let taken = false;
  local.startAwaiting(id);
  try {
    taken = await journal.takeAnswer(id, membership.id);
    return taken;
  } finally {
    if (!taken) local.stopAwaiting(id);
  }
}

/**
 * Answers a request whose authorization a settlement has already. The identical request is told what
 * became of that one if nobody was, and nothing is submitted again (core: `settlement_pending`); any
 * other is refused as replayed: were a second caller told of the first one's success, a seller would
 * serve two requests for one payment.
 * @returns `released` when the authorization is to be had again
 */
export async function answerRepeat(
  first: SettlementRecord,
  repeat: Repeat,
  parts: FacilitatorParts,
): Promise<SettleOutcome | 'released'> {
  const { journal, membership, local, clock, limits } = parts;
  const { payer } = repeat.payment;
  const replayed = {
    status: 'rejected',
    rejection: refusal('authorization_replayed', payer),
  } as const;
  const deadline = clock.now() + limits.confirmationMs;
  const digest = requestDigest(repeat.request);
  for (let record: SettlementRecord | undefined = first; ; ) {
    if (record === undefined || record.state === 'never_sent') return 'released';
    if (record.digest !== digest || record.answer === 'given') return replayed;
    if (local.isAwaited(record.id)) return replayed;
    if (record.answer === 'held' && membership.isCurrent(record.heldBy ?? '')) {
      // Nobody here waits for it any more, and it could not be written down.
      await journal.owe(record.id);
    }
    if (await take(record.id, parts)) {
      return awaitOutcome(record.id, repeat, deadline, parts);
    }
    // A caller of another instance waits for it, or did when that instance ended.
    if (clock.now() >= deadline) return undecided(record, repeat);
    await clock.sleep(LOOK_MS);
    record = await journal.find(record.id);
  }
}
