import { xdr } from '@stellar/stellar-sdk';
import { decodeXdr, encodeXdr } from '../xdr/index.ts';
import { ClosedTransaction } from './closedTransaction.ts';
import { HistoryError } from './historyError.ts';
import { type LedgerParts, ledgerParts, partsOf, type WrittenTransaction } from './ledgerParts.ts';

/** A ledger that is decoded already. */
export interface DecodedLedger {
  readonly meta: xdr.LedgerCloseMetaV2;
  /** Its transactions, in the order in which they were applied. */
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

  /** @param decoded the decoded form of the bytes, if it is known already */
  constructor(networkId: Uint8Array, bytes: Uint8Array, decoded?: DecodedLedger) {
    this.#networkId = networkId;
    this.bytes = bytes;
    this.#decoded = decoded;
    this.#headerEntry = decoded?.meta.ledgerHeader;
  }

  /** @throws HistoryError `UNREADABLE` when the bytes are no `LedgerCloseMeta` of the version that is written here */
  static read(networkId: Uint8Array, bytes: Uint8Array): ClosedLedger {
    const ledger = new ClosedLedger(networkId, bytes);
    ledger.#readParts();
    return ledger;
  }

  /** Decodes all of it, which is slow. */
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

  /** Gives up what is decoded, which takes ten times as much memory as the bytes. A later reader decodes it again. */
  release(): void {
    if (this.#decoded === undefined) return;
    const cut = this.transactions.flatMap((one) => one.cut ?? []);
    // What clients asked for need not be looked for again.
    if (cut.length === this.transactions.length) {
      this.#parts = { header: encodeXdr(this.headerEntry), transactions: cut };
    }
    this.#decoded = undefined;
    this.#transactions = undefined;
  }

  /** In the order in which they were applied. */
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
  throw unreadable(`it has the version ${meta.type}`);
}

function unreadable(why: string): HistoryError {
  return new HistoryError('UNREADABLE', `A closed ledger cannot be decoded: ${why}.`);
}
