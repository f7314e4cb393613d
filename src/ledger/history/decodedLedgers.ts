/** How many stay at most. */
const LEDGERS = 128;
/** Bytes of XDR that stay at most. What is read of a ledger may take ten times its bytes and more. */
const BYTES = 4 << 20;

/** As much of a ledger as counts here. */
interface Measured {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Gives up what takes more memory than the bytes. */
  release(): void;
}

/**
 * The ledgers that stay decoded: those that were read last. The newest one always stays, however large it is, because every
 * response refers to it.
 */
export class DecodedLedgers<Ledger extends Measured> {
  readonly #ledgers = new Map<number, Ledger>();
  #bytes = 0;
  #newest: Ledger | undefined;

  get(sequence: number): Ledger | undefined {
    return this.#newest?.sequence === sequence ? this.#newest : this.#ledgers.get(sequence);
  }

  set(ledger: Ledger): void {
    const { sequence, bytes } = ledger;
    this.delete(sequence);
    if (this.#newest === undefined || this.#newest.sequence <= sequence) {
      // Who waited for it has read it by now.
      this.#newest?.release();
      this.#newest = ledger;
    }
    this.#ledgers.set(sequence, ledger);
    this.#bytes += bytes.length;
    for (const oldest of this.#ledgers.keys()) {
      if (this.#ledgers.size <= LEDGERS && this.#bytes <= BYTES) return;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.#ledgers.clear();
    this.#bytes = 0;
    this.#newest = undefined;
  }

  /** Does not forget the newest. */
  delete(sequence: number): void {
    const ledger = this.#ledgers.get(sequence);
    if (ledger === undefined) return;
    this.#ledgers.delete(sequence);
    this.#bytes -= ledger.bytes.length;
  }
}
