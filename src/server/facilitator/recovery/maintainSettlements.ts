import type { LeasedChannelPool, PayerRecords } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { type FeesElsewhere, NO_FEES_ELSEWHERE, sumFees } from '../limits/index.ts';
import { recordDelivery, recordUndelivered } from '../settle/index.ts';
import { resumeSettlements, reviewUnproven } from './resumeSettlements.ts';

const FORGET_EVERY_MS = 600_000;
const FEES_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Periodic background work. */
export interface Maintenance {
  /** Highest possible fees of other instances' settlements in flight, at the last reading, in stroops. */
  readonly reservedElsewhere: () => bigint;
  /** Fees of other instances and earlier runs in the last day, at the last reading. */
  readonly feesElsewhere: () => FeesElsewhere;
  stop(): void;
}

/**
 * Sends heartbeats to the other instances, adopts the work of ended ones, resumes unfinished work of
 * this one, records what was and was not delivered if that could not be recorded earlier, and deletes old settlements.
 */
export function maintainSettlements(
  parts: FacilitatorParts,
  {
    leased,
    records,
  }: { readonly leased: LeasedChannelPool | undefined; readonly records: PayerRecords },
  everyMs: number,
  track: (work: Promise<void>) => unknown,
): Maintenance {
  const { clock, journal, local, membership, logger, network } = parts;
  let elsewhere = 0n;
  let fees = NO_FEES_ELSEWHERE;
  let feesReadAt = Number.NEGATIVE_INFINITY;
  let forgotAt = clock.elapsed();
  const waiting = new Set<() => void>();
  let withoutLease = false;
  let stopped = false;

  async function renewLease(): Promise<void> {
    try {
      await membership.beat();
      if (withoutLease) logger.info({}, 'the lease was renewed; accepting payments again');
      withoutLease = false;
    } catch (error) {
      const reason = error instanceof StoreError ? error.code : error;
      if (membership.holdsLease || withoutLease) {
        logger.debug({ reason }, 'the lease could not be renewed; trying again');
        return;
      }
      withoutLease = true;
      logger.error({ reason }, 'the lease expired; payments are refused until it is renewed');
    }
  }

  async function pass(): Promise<void> {
    try {
      await membership.adopt();
      for (const id of local.unrecorded) await recordDelivery(id, parts);
      for (const id of local.unrecordedUndelivered) await recordUndelivered(id, parts);
      await resumeSettlements(parts, track);
      if (leased !== undefined) {
        await leased.freeLeftovers();
        elsewhere = await journal.reservedElsewhere(membership.id);
      }
      if (clock.elapsed() - feesReadAt > FEES_EVERY_MS) {
        feesReadAt = clock.elapsed();
        const charged = await records.feesElsewhere(membership.id, clock.now() - DAY_MS);
        fees = sumFees(charged);
      }
      if (clock.elapsed() - forgotAt > FORGET_EVERY_MS) {
        forgotAt = clock.elapsed();
        await reviewUnproven(parts);
        await journal.forgetOld(await network.getLatestLedger());
      }
    } catch (error) {
      const reason = error instanceof StoreError ? error.code : error;
      logger.warn({ reason }, 'maintenance pass failed; will retry');
    }
  }

  /** Two loops, so that a recovery pass that waits for a slow database does not delay the lease's renewal. */
  function repeat(step: () => Promise<void>): void {
    if (stopped) return;
    const cancel = clock.after(everyMs, () => {
      waiting.delete(cancel);
      void step().finally(() => repeat(step));
    });
    waiting.add(cancel);
  }

  repeat(renewLease);
  repeat(pass);
  return {
    reservedElsewhere: () => elsewhere,
    feesElsewhere: () => fees,
    stop() {
      stopped = true;
      for (const cancel of waiting) cancel();
    },
  };
}
