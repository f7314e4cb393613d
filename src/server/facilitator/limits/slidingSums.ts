import type { Clock } from '../../clock.ts';

/** The sums of one key, or of all keys, by slot of time. */
class Slots {
  readonly #sums = new Map<number, bigint>();

  add(slot: number, amount: bigint): void {
    this.#sums.set(slot, (this.#sums.get(slot) ?? 0n) + amount);
  }

  /** Returns the sum of this slot and later ones, and forgets earlier ones. */
  since(first: number): bigint {
    let sum = 0n;
    for (const [slot, amount] of this.#sums) {
      if (slot < first) this.#sums.delete(slot);
      else sum += amount;
    }
    // What was taken back may have been added in a slot that is over.
    return sum > 0n ? sum : 0n;
  }
}

/** The key of the common sum of all keys beyond the maximum. */
const OTHERS = Symbol('others');

/** A period as a number of equal slots. Its sums are exact to one slot. */
export interface Period {
  readonly slotMs: number;
  readonly slots: number;
}

/** At least the last 60 seconds, at most 70. */
export const MINUTE: Period = { slotMs: 10_000, slots: 7 };
/** The last 24 hours, or up to a quarter of an hour less. */
export const DAY: Period = { slotMs: 900_000, slots: 96 };

/**
 * Sums by key over the last period. Memory is bounded, and no key loses its sum because there are many others: once there are
 * too many, all further ones have one sum together.
 */
export class SlidingSums {
  readonly #keys = new Map<string | typeof OTHERS, Slots>();
  readonly #all = new Slots();
  readonly #period: Period;
  readonly #maxKeys: number;
  readonly #clock: Clock;

  constructor(period: Period, maxKeys: number, clock: Clock) {
    this.#period = period;
    this.#maxKeys = maxKeys;
    this.#clock = clock;
  }

  sum(key: string): bigint {
    const slots = this.#keys.get(key) ?? (this.#isFull ? this.#keys.get(OTHERS) : undefined);
    return slots?.since(this.#first) ?? 0n;
  }

  get total(): bigint {
    return this.#all.since(this.#first);
  }

  /** @param amount negative to take back what was added in this period */
  add(key: string, amount: bigint): void {
    const slots = this.#keys.get(key) ?? this.#open(key);
    slots.add(this.#now, amount);
    this.#all.add(this.#now, amount);
  }

  get #isFull(): boolean {
    return this.#keys.size >= this.#maxKeys;
  }

  #open(key: string): Slots {
    if (this.#isFull) {
      for (const [other, slots] of this.#keys) {
        if (slots.since(this.#first) === 0n) this.#keys.delete(other);
      }
    }
    const name = this.#isFull ? OTHERS : key;
    const slots = this.#keys.get(name) ?? new Slots();
    this.#keys.set(name, slots);
    return slots;
  }

  get #now(): number {
    return Math.floor(this.#clock.now() / this.#period.slotMs);
  }

  get #first(): number {
    return this.#now - this.#period.slots + 1;
  }
}
