/** Maximum number of ledgers that stay decoded. */
const LEDGERS = 128;
/** Maximum total size of their XDR. The decoded form can take ten times as much memory and more. */
const BYTES = 4 << 20;

/** The part of a ledger that matters here. */
interface Measured {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Drops everything that takes more memory than the bytes. */
  release(): void;
}

/**
 * The most recently read ledgers, which stay decoded. The newest ledger always stays, however large it is, because every
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
      // Everyone who waited for it has read it by now.
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

  /** Deletes a ledger, unless it is the newest. */
  delete(sequence: number): void {
    const ledger = this.#ledgers.get(sequence);
    if (ledger === undefined) return;
    this.#ledgers.delete(sequence);
    this.#bytes -= ledger.bytes.length;
  }
}
