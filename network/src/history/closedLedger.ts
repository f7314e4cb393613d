import { xdr } from '@stellar/stellar-sdk';
import { decodeXdr, encodeXdr } from '../xdr/index.ts';
import { ClosedTransaction } from './closedTransaction.ts';
import { HistoryError } from './historyError.ts';
import { type LedgerParts, ledgerParts, partsOf, type WrittenTransaction } from './ledgerParts.ts';

/** A decoded ledger. */
export interface DecodedLedger {
  readonly meta: xdr.LedgerCloseMetaV2;
  /** Its transactions, in application order. */
  readonly transactions: readonly WrittenTransaction[];
}

/** A closed ledger and its contents. Only the parts that a caller reads are decoded. */
export class ClosedLedger {
  readonly #networkId: Uint8Array;
  /** `LedgerCloseMeta` XDR. */
  readonly bytes: Uint8Array;
  #decoded: DecodedLedger | undefined;
  #parts: LedgerParts | undefined;
  #headerEntry: xdr.LedgerHeaderHistoryEntry | undefined;
  #transactions: readonly ClosedTransaction[] | undefined;

  /** @param decoded the decoded form of the bytes, if already known */
  constructor(networkId: Uint8Array, bytes: Uint8Array, decoded?: DecodedLedger) {
    this.#networkId = networkId;
    this.bytes = bytes;
    this.#decoded = decoded;
    this.#headerEntry = decoded?.meta.ledgerHeader;
  }

  /** @throws HistoryError `UNREADABLE` if the bytes are not a `LedgerCloseMeta` of the version written here */
  static read(networkId: Uint8Array, bytes: Uint8Array): ClosedLedger {
    const ledger = new ClosedLedger(networkId, bytes);
    ledger.#readParts();
    return ledger;
  }

  /** Decodes everything, which is slow. */
  get meta(): xdr.LedgerCloseMetaV2 {
    return this.#decoded?.meta ?? decode(this.bytes);
  }

  get headerEntry(): xdr.LedgerHeaderHistoryEntry {
    this.#headerEntry ??= decodeXdr(xdr.LedgerHeaderHistoryEntry, this.headerXdr);
    return this.#headerEntry;
  }

  /** `LedgerHeaderHistoryEntry` XDR. */
  get headerXdr(): Uint8Array {
    return this.#readParts().header;
  }

  get header(): xdr.LedgerHeader {
    return this.headerEntry.header;
  }

  get sequence(): number {
    return this.header.ledgerSeq;
  }

  /** Hex. */
  get hash(): string {
    return Buffer.from(this.headerEntry.hash.value).toString('hex');
  }

  /** Seconds since 1970. */
  get closeTime(): number {
    return Number(this.header.scpValue.closeTime);
  }

  /** Drops the decoded form, which takes ten times as much memory as the bytes. A later reader decodes it again. */
  release(): void {
    if (this.#decoded === undefined) return;
    const cut = this.transactions.flatMap((one) => one.cut ?? []);
    // Keeps the parts that clients already requested, so that they need not be searched for again.
    if (cut.length === this.transactions.length) {
      this.#parts = { header: encodeXdr(this.headerEntry), transactions: cut };
    }
    this.#decoded = undefined;
    this.#transactions = undefined;
  }

  /** In application order. */
  get transactions(): readonly ClosedTransaction[] {
    this.#transactions ??= this.#readTransactions();
    return this.#transactions;
  }

  #readTransactions(): ClosedTransaction[] {
    if (this.#decoded === undefined) {
      return this.#readParts().transactions.map(
        (parts, at) => new ClosedTransaction(parts.hash, at + 1, () => parts),
      );
    }
    return this.#decoded.transactions.map(
      (one, at) => new ClosedTransaction(one.hash, at + 1, () => partsOf(one), one),
    );
  }

  #readParts(): LedgerParts {
    try {
      this.#parts ??= ledgerParts(this.#networkId, this.bytes);
      return this.#parts;
    } catch (error) {
      throw unreadable(error instanceof Error ? error.message : String(error));
    }
  }
}

function decode(bytes: Uint8Array): xdr.LedgerCloseMetaV2 {
  const meta = decodeXdr(xdr.LedgerCloseMeta, bytes);
  if (meta.type === 'v2') return meta.v2;
  throw unreadable(`it has version ${meta.type}`);
}

function unreadable(why: string): HistoryError {
  return new HistoryError('UNREADABLE', `A closed ledger cannot be decoded: ${why}.`);
}
