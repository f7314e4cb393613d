import type { LeasedChannelPool } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { resumeSettlements } from './resumeSettlements.ts';

const FORGET_EVERY_MS = 600_000;

/** What is done now and then beside the requests. */
export interface Maintenance {
  /** Worst fees of settlements under way in other instances, as of the last look, in stroops. */
  readonly reservedElsewhere: () => bigint;
  stop(): void;
}

/**
 * Keeps this instance alive in the eyes of the others, takes over what those leave that end, takes up
 * what stayed unfinished here, and forgets what nobody can ask for any more.
 */
export function maintainSettlements(
  parts: FacilitatorParts,
  leased: LeasedChannelPool | undefined,
  everyMs: number,
  track: (work: Promise<void>) => unknown,
): Maintenance {
  const { clock, journal, membership, logger, network } = parts;
  let elsewhere = 0n;
  let forgotAt = clock.now();
  let cancel = (): void => {};
  let stopped = false;

  async function tend(): Promise<void> {
    try {
      await membership.beat();
      await resumeSettlements(parts, track);
      if (leased !== undefined) {
        await leased.freeLeftovers();
        elsewhere = await journal.reservedElsewhere(membership.id);
      }
      if (clock.now() - forgotAt > FORGET_EVERY_MS) {
        forgotAt = clock.now();
        await journal.forgetOld(await network.getLatestLedger());
      }
    } catch (error) {
      const reason = error instanceof StoreError ? error.code : error;
      logger.warn({ reason }, 'what stays to be done could not be looked for');
    }
  }

  function schedule(): void {
    if (stopped) return;
    cancel = clock.after(everyMs, () => {
      void tend().finally(schedule);
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
