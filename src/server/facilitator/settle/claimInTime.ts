import type { Claim, Presented, SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { type Refusal, refusal, type SettleOutcome } from '../payment/index.ts';
import { within } from '../within.ts';
import { type Caller, deliverRefusal } from './answerInTime.ts';

/** A claim on an authorization for the request that presents it. */
interface FirstClaim extends Claim {
  /** The refusal that an identical request got while this one was in flight. */
  readonly refused: Refusal | undefined;
  /** Forgets the settlement in this process. */
  readonly drop: () => void;
}

/** Returns the refusal that an identical request got while this one was in flight, here or at another instance. */
async function refusedMeanwhile(
  record: SettlementRecord,
  arrivedAt: number,
  { journal, local, clock }: FacilitatorParts,
): Promise<Refusal | undefined> {
  const here = local.refusalSince(record, arrivedAt);
  if (here !== undefined) return here;
  const told = await journal.refusalOf(record, () => clock.elapsed() - arrivedAt);
  return told === undefined ? undefined : (JSON.parse(told) as Refusal);
}

/**
 * Claims an authorization for its first settlement, if the store does so in time. A late claim is released, because no
 * work on it has started.
 * @param arrivedAt earliest time at which the request can have arrived; like `deadline`, in milliseconds of the monotonic clock
 * @returns `undefined` when the store did not answer in time
 * @throws StoreError
 */
export async function claimInTime(
  presented: Presented,
  arrivedAt: number,
  deadline: number,
  parts: FacilitatorParts,
): Promise<FirstClaim | undefined> {
  const { journal, membership, local, clock, logger } = parts;
  const { id } = presented;
  // Registered here before it is in the journal, so that maintenance does not consider it abandoned and an identical request
  // does not claim the outcome.
  local.startRunning(id);
  const waiting = local.startAwaiting(id);
  const drop = () => {
    local.stopRunning(id);
    local.stopAwaiting(waiting);
  };
  const claiming = journal.claim(membership.id, presented).then(async (claim) => ({
    ...claim,
    drop,
    refused: claim.claimed ? await refusedMeanwhile(claim.record, arrivedAt, parts) : undefined,
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
      .catch((error: unknown) => logger.warn({ err: error, id }, 'could not release a late claim'));
  }
  return claim;
}

/**
 * Releases a claim before any work on it has started, and refuses it like the identical request. If another
 * instance has the claim by now, this one does not know its outcome.
 * @throws StoreError
 */
export async function passRefusalOn(
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
