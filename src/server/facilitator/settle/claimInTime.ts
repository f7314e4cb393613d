import { z } from 'zod';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { within } from '../../clock.ts';
import type { Claim, Presented, SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import {
  accepted,
  type Checked,
  type Refusal,
  refusal,
  rejected,
  type SettleOutcome,
} from '../payment/index.ts';
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

/** The name of the extension in terms, payloads and `/supported` (x402 PR #1079). */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const extensionSchema = z.looseObject({
  info: z.looseObject({ id: z.string().regex(/^[a-zA-Z0-9_-]{16,128}$/) }),
});

/** The seller's declaration, `paymentRequirements.extra["payment-identifier"]`: which sale the terms are for. */
const declarationSchema = z.looseObject({
  method: z.string().min(1),
  resource: z.string().min(1),
  /** Whether it refuses payments without an identifier. */
  required: z.boolean().optional(),
});

/** A repeat within these ten minutes is answered, however short the seller's time limit is. */
const MIN_REPEATED_MS = 600_000;
/**
 * No repeat is answered after a day, however long the seller's time limit is: a seller has to know a sale for longer than it
 * is answered, or it would serve it again.
 */
const MAX_REPEATED_MS = 24 * 3_600_000;

/** Returns the buyer's identifier of the sale; `undefined` without the extension or a valid id. */
export function paymentIdentifierOf({ paymentPayload }: FacilitatorRequest): string | undefined {
  const read = extensionSchema.safeParse(paymentPayload.extensions?.[PAYMENT_IDENTIFIER]);
  return read.success ? read.data.info.id : undefined;
}

/**
 * Whether the seller recognizes the sale, and for which method and resource. Only its own terms can say so: a buyer writes
 * everything in the payload, the echoed extensions too.
 */
function isDeclared({ paymentRequirements: { extra } }: FacilitatorRequest): boolean {
  return declarationSchema.safeParse(extra?.[PAYMENT_IDENTIFIER]).success;
}

/**
 * Whether a request names the sale of a record, and its seller declared that it recognizes sales by that name. Only the identical
 * request is then of this sale.
 */
export function namesSameSale(record: SettlementRecord, request: FacilitatorRequest): boolean {
  const { paymentId } = record;
  return (
    paymentId !== undefined && paymentId === paymentIdentifierOf(request) && isDeclared(request)
  );
}

/** Refuses a payment without an identifier whose seller requires one. */
export function checkIdentified(request: FacilitatorRequest): Checked<undefined> {
  const { extra } = request.paymentRequirements;
  const read = declarationSchema.safeParse(extra?.[PAYMENT_IDENTIFIER]);
  const isMissing = read.data?.required === true && paymentIdentifierOf(request) === undefined;
  return isMissing ? rejected('payment_identifier_required') : accepted(undefined);
}

/**
 * Whether a request that is identical to the first one may be answered every time: its seller declared that it recognizes the
 * sale by the identifier, and waits for the payment no longer than `maxTimeoutSeconds`.
 * @param now milliseconds since the epoch
 */
export function isSameSale(
  record: SettlementRecord,
  request: FacilitatorRequest,
  now: number,
): boolean {
  const limitMs = request.paymentRequirements.maxTimeoutSeconds * 1_000;
  return (
    namesSameSale(record, request) &&
    now - record.claimedAt <= Math.min(Math.max(limitMs, MIN_REPEATED_MS), MAX_REPEATED_MS)
  );
}
