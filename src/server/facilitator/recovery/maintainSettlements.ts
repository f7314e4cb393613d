import type { LeasedChannelPool } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { recordDelivery } from '../settle/index.ts';
import { resumeSettlements, reviewUnproven } from './resumeSettlements.ts';

const FORGET_EVERY_MS = 600_000;

/** Work beside the requests, at intervals. */
export interface Maintenance {
  /** Worst fees of settlements under way in other instances, as of the last look, in stroops. */
  readonly reservedElsewhere: () => bigint;
  stop(): void;
}

/**
 * Gives signs of life to the other instances, adopts what ended ones leave, resumes what is
 * unfinished here, records deliveries that could not be recorded, and forgets old settlements.
 */
export function maintainSettlements(
  parts: FacilitatorParts,
  leased: LeasedChannelPool | undefined,
  everyMs: number,
  track: (work: Promise<void>) => unknown,
): Maintenance {
  const { clock, journal, local, membership, logger, network } = parts;
  let elsewhere = 0n;
  let forgotAt = clock.now();
  let cancel = (): void => {};
  let stopped = false;

  async function pass(): Promise<void> {
    try {
      await membership.beat();
      for (const id of local.unrecorded) await recordDelivery(id, parts);
      await resumeSettlements(parts, track);
      if (leased !== undefined) {
        await leased.freeLeftovers();
        elsewhere = await journal.reservedElsewhere(membership.id);
      }
      if (clock.now() - forgotAt > FORGET_EVERY_MS) {
        forgotAt = clock.now();
        await reviewUnproven(parts);
        await journal.forgetOld(await network.getLatestLedger());
      }
    } catch (error) {
      const reason = error instanceof StoreError ? error.code : error;
      logger.warn({ reason }, 'maintenance pass failed; will retry');
    }
  }

  function schedule(): void {
    if (stopped) return;
    cancel = clock.after(everyMs, () => {
      void pass().finally(schedule);
    });
  }

  schedule();
  return {
    reservedElsewhere: () => elsewhere,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
