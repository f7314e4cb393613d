import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Waiting } from '../localSettlements.ts';
import type { Caller } from './caller.ts';
import { recordDelivery } from './recordDelivery.ts';

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

  /** @param caller without one, the answer counts as delivered once it is computed */
  constructor(id: string, caller: Caller | undefined, parts: FacilitatorParts) {
    this.#id = id;
    this.#caller = caller;
    this.#parts = parts;
    this.#waiting = parts.local.startAwaiting(id);
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
    const { journal, local, logger, clock } = this.#parts;
    if (!local.stopAwaiting(this.#waiting)) return;
    const recorded = journal.owe(this.#id).catch((error: unknown) => {
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
