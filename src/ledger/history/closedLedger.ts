import { xdr } from '@stellar/stellar-sdk';
import { ParsedTransaction } from '../transaction/envelope/index.ts';
import { ClosedTransaction } from './closedTransaction.ts';
import { HistoryError } from './historyError.ts';

/** A closed ledger and its contents. */
export class ClosedLedger {
  readonly #networkId: Uint8Array;
  readonly meta: xdr.LedgerCloseMetaV2;
  /** `LedgerCloseMeta` XDR. */
  readonly bytes: Uint8Array;
  #transactions: readonly ClosedTransaction[] | undefined;

  /** @param transactions its transactions, where they are known already */
  constructor(
    networkId: Uint8Array,
    meta: xdr.LedgerCloseMetaV2,
    bytes: Uint8Array,
    transactions?: readonly ClosedTransaction[],
  ) {
    this.#networkId = networkId;
    this.#transactions = transactions;
    this.meta = meta;
    this.bytes = bytes;
  }

  /** @throws HistoryError `UNREADABLE` when the bytes are no `LedgerCloseMeta` of the version that is written here */
  static read(networkId: Uint8Array, bytes: Uint8Array): ClosedLedger {
    const meta = decode(bytes);
    return new ClosedLedger(networkId, meta, bytes);
  }

  get header(): xdr.LedgerHeader {
    return this.meta.ledgerHeader.header;
  }

  get sequence(): number {
    return this.header.ledgerSeq;
  }

  /** Hex. */
  get hash(): string {
    return Buffer.from(this.meta.ledgerHeader.hash.value).toString('hex');
  }

  /** Seconds since 1970. */
  get closeTime(): number {
    return Number(this.header.scpValue.closeTime);
  }

  /** In the order in which they were applied. */
  get transactions(): readonly ClosedTransaction[] {
    this.#transactions ??= this.#match();
    return this.#transactions;
  }

  /** The set has the envelopes in its own order, the results name them by hash. */
  #match(): ClosedTransaction[] {
    if (this.meta.txProcessing.length === 0) return [];
    const envelopes = new Map<string, xdr.TransactionEnvelope>();
    for (const envelope of envelopesOf(this.meta.txSet)) {
      const { hash } = new ParsedTransaction(this.#networkId, envelope);
      envelopes.set(hash.toString('hex'), envelope);
    }
    return this.meta.txProcessing.map((record, at) => {
      const hash = Buffer.from(record.result.transactionHash.value).toString('hex');
      const envelope = envelopes.get(hash);
      if (envelope === undefined) {
        throw new HistoryError(
          'UNREADABLE',
          `Ledger ${this.sequence} has a result without a transaction.`,
        );
      }
      return new ClosedTransaction(hash, at + 1, envelope, record);
    });
  }
}

/** The transactions of a set, in the set's order. */
function* envelopesOf(set: xdr.GeneralizedTransactionSet): Generator<xdr.TransactionEnvelope> {
  for (const phase of set.v1TxSet.phases) {
    if (phase.type === 'v0Components') {
      for (const component of phase.v0Components) {
        yield* component.txsMaybeDiscountedFee.txs;
      }
    } else {
      for (const stage of phase.parallelTxsComponent.executionStages) {
        for (const cluster of stage) yield* cluster;
      }
    }
  }
}

function decode(bytes: Uint8Array): xdr.LedgerCloseMetaV2 {
  let meta: xdr.LedgerCloseMeta;
  try {
    meta = xdr.LedgerCloseMeta.fromXdr(bytes);
  } catch (error) {
    throw new HistoryError('UNREADABLE', `A closed ledger cannot be decoded: ${String(error)}`);
  }
  if (meta.type === 'v2') return meta.v2;
  throw new HistoryError('UNREADABLE', `A closed ledger has the version ${meta.type}, not v2.`);
}
