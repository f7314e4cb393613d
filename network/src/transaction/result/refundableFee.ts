/**
 * The refundable part of a declared resource fee: what is left after rent and events is refunded to the fee source (CAP-46-07;
 * stellar-core `RefundableFeeTracker`). In stroops.
 */
export class RefundableFee {
  readonly maximum: bigint;
  #consumedRent = 0n;
  #consumed = 0n;

  constructor(maximum: bigint) {
    this.maximum = maximum;
  }

  get consumedRent(): bigint {
    return this.#consumedRent;
  }

  /** Rent and events. */
  get consumed(): bigint {
    return this.#consumed;
  }

  get refund(): bigint {
    return this.maximum - this.#consumed;
  }

  /** Sets aside the rent; false if the maximum does not cover it. */
  consumeRent(fee: bigint): boolean {
    this.#consumedRent += fee;
    return this.#consumedRent <= this.maximum;
  }

  /** Sets aside the fee of the events, in addition to the rent; false if the maximum does not cover it. */
  consumeEvents(fee: bigint): boolean {
    this.#consumed = this.#consumedRent + fee;
    return this.#consumed <= this.maximum;
  }

  /** A transaction that fails pays neither. */
  reset(): void {
    this.#consumedRent = 0n;
    this.#consumed = 0n;
  }
}
