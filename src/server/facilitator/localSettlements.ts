import type { SettlementRecord } from '../settlement/index.ts';
import type { Refusal } from './payment/index.ts';

/** A caller of this process that waits for a settlement's answer. */
export interface Waiting {
  readonly id: string;
}

/** A settlement whose outcome an instance holds for a caller. */
export interface Held {
  readonly id: string;
  /** The name of that instance. */
  readonly holder: string;
}

/** A refusal before anything was submitted. */
interface LocalRefusal {
  readonly digest: string;
  readonly rejection: Refusal;
  /** The settlements whose callers wait for it. */
  readonly untold: Set<string>;
  /** Elapsed time of the clock, as `toldAt`. */
  readonly refusedAt: number;
  /** When the last caller received it. */
  toldAt: number;
}

/** Longer than the duration of any request. */
const REFUSALS_LAST_MS = 120_000;

/**
 * The settlements that this process handles: those that run here, those whose caller is connected to this process, and answers
 * that were delivered, or not, while that is not recorded yet. The journal has the same information for other processes, but this process knows it
 * before it is written.
 */
export class LocalSettlements {
  readonly #running = new Set<string>();
  readonly #awaited = new Map<string, Waiting>();
  readonly #unrecorded = new Set<string>();
  readonly #undelivered = new Map<string, string>();
  readonly #refused = new Map<string, LocalRefusal>();

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  startRunning(id: string): void {
    this.#running.add(id);
  }

  stopRunning(id: string): void {
    this.#running.delete(id);
  }

  /** Whether a caller of this process waits for the answer. */
  isAwaited(id: string): boolean {
    return this.#awaited.has(id);
  }

  /**
   * Records a refusal before submission: identical requests in flight get the same answer. These are
   * the requests that arrive before `refusalTold` reports that the answer was delivered.
   */
  refuse({ id, key, digest }: SettlementRecord, rejection: Refusal, now: number): void {
    if (key === undefined) return;
    for (const [other, { refusedAt }] of this.#refused) {
      if (now - refusedAt <= REFUSALS_LAST_MS) break;
      this.#refused.delete(other);
    }
    const before = this.#refused.get(key);
    const untold = before?.digest === digest ? before.untold : new Set<string>();
    this.#refused.delete(key);
    this.#refused.set(key, {
      digest,
      rejection,
      untold: untold.add(id),
      refusedAt: now,
      toldAt: now,
    });
  }

  /** Records that this settlement's refusal was delivered, or that its caller has disconnected. */
  refusalTold({ id, key }: SettlementRecord, now: number): void {
    const refused = key === undefined ? undefined : this.#refused.get(key);
    if (refused?.untold.delete(id) === true) refused.toldAt = now;
  }

  /** Returns the refusal of an identical request that was in flight at the time `since`. */
  refusalSince({ key, digest }: SettlementRecord, since: number): Refusal | undefined {
    const refused = key === undefined ? undefined : this.#refused.get(key);
    if (refused?.digest !== digest) return undefined;
    return refused.untold.size > 0 || refused.toldAt >= since ? refused.rejection : undefined;
  }

  /** Records that a caller has started to wait; only one may wait at a time. */
  startAwaiting(id: string): Waiting {
    const waiting = { id };
    this.#awaited.set(id, waiting);
    return waiting;
  }

  /** @returns false if this caller no longer waits; another one may be waiting by now */
  stopAwaiting(waiting: Waiting): boolean {
    if (this.#awaited.get(waiting.id) !== waiting) return false;
    return this.#awaited.delete(waiting.id);
  }

  /** Records that the answer was delivered, before the journal has it. */
  delivered(id: string): void {
    this.#unrecorded.add(id);
  }

  /** Records that the journal has what became of the answer. */
  recorded(id: string): void {
    this.#unrecorded.delete(id);
    this.#undelivered.delete(id);
  }

  /** Records that the caller did not get the answer, before the journal has it. */
  undelivered({ id, holder }: Held): void {
    this.#undelivered.set(id, holder);
  }

  /** Under which name this instance holds an answer that was not delivered, as long as the journal does not have that. */
  holderOfUndelivered(id: string): string | undefined {
    return this.#undelivered.get(id);
  }

  /** Answers that were not delivered, while the journal does not have that. */
  get unrecordedUndelivered(): readonly string[] {
    return [...this.#undelivered.keys()];
  }

  isDelivered(id: string): boolean {
    return this.#unrecorded.has(id);
  }

  /** Delivered answers that the journal does not have yet. */
  get unrecorded(): readonly string[] {
    return [...this.#unrecorded];
  }
}
