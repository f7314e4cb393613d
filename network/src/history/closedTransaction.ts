import { xdr } from '@stellar/stellar-sdk';
import { decodeXdr, XdrCursor } from '../xdr/index.ts';
import {
  type MetaParts,
  metaParts,
  type TransactionParts,
  type WrittenTransaction,
} from './ledgerParts.ts';

/**
 * A transaction, as recorded in a closed ledger. It is kept as part of the ledger's bytes; only the parts that a caller reads
 * are decoded.
 */
export class ClosedTransaction {
  /** Hex: the hash by which it was sent; that of the fee bump if it is one. */
  readonly hash: string;
  /** From 1, in the order in which the ledger applied its transactions. */
  readonly applicationOrder: number;
  readonly #parts: () => TransactionParts;
  readonly #record: xdr.TransactionResultMetaV1 | undefined;
  #cut: TransactionParts | undefined;
  #envelope: xdr.TransactionEnvelope | undefined;
  #result: xdr.TransactionResult | undefined;
  #metaParts: MetaParts | undefined;

  /**
   * @param parts returns its XDR
   * @param decoded the decoded form, if already known
   */
  constructor(
    hash: string,
    applicationOrder: number,
    parts: () => TransactionParts,
    decoded?: WrittenTransaction,
  ) {
    this.hash = hash;
    this.applicationOrder = applicationOrder;
    this.#parts = parts;
    this.#envelope = decoded?.envelope;
    this.#record = decoded?.record;
  }

  /** Like `parts`, but undefined if nobody has requested them. */
  get cut(): TransactionParts | undefined {
    return this.#cut;
  }

  /** The XDR of its envelope, result, meta and fee changes. */
  get parts(): TransactionParts {
    this.#cut ??= this.#parts();
    return this.#cut;
  }

  /** The XDR of its events, and of the changes of its operations. */
  get metaParts(): MetaParts {
    this.#metaParts ??= metaParts(this.parts.meta);
    return this.#metaParts;
  }

  get envelope(): xdr.TransactionEnvelope {
    this.#envelope ??= decodeXdr(xdr.TransactionEnvelope, this.parts.envelope);
    return this.#envelope;
  }

  get feeBump(): boolean {
    if (this.#envelope !== undefined) return this.#envelope.type === 'envelopeTypeTxFeeBump';
    const type = new XdrCursor(this.parts.envelope).uint32();
    return type === xdr.EnvelopeType.envelopeTypeTxFeeBump.value;
  }

  /** Hex hash of a fee bump's inner transaction. */
  get innerHash(): string | undefined {
    const { result } = this.result;
    return result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed'
      ? Buffer.from(result.innerResultPair.transactionHash.value).toString('hex')
      : undefined;
  }

  get result(): xdr.TransactionResult {
    this.#result ??=
      this.#record?.result.result ?? decodeXdr(xdr.TransactionResult, this.parts.result);
    return this.#result;
  }

  get successful(): boolean {
    const { type } = this.result.result;
    return type === 'txSuccess' || type === 'txFeeBumpInnerSuccess';
  }

  /** Decodes everything, which is slow; see `metaParts`. */
  get meta(): xdr.TransactionMeta {
    return this.#record?.txApplyProcessing ?? decodeXdr(xdr.TransactionMeta, this.parts.meta);
  }

  /** Ledger changes made by charging the fee. */
  get feeChanges(): readonly xdr.LedgerEntryChange[] {
    return this.#record?.feeProcessing ?? changesOf(this.parts.feeChanges);
  }

  /** Ledger changes made by an operation. @param index from 0 */
  operationChanges(index: number): readonly xdr.LedgerEntryChange[] {
    if (this.#record?.txApplyProcessing.type === 'v4') {
      return this.#record.txApplyProcessing.v4.operations[index]?.changes ?? [];
    }
    const changes = this.metaParts.operationChanges[index];
    return changes === undefined ? [] : changesOf(changes);
  }

  /** Events of the transaction itself: its fee and its refund. */
  get transactionEvents(): readonly xdr.TransactionEvent[] {
    if (this.#record?.txApplyProcessing.type === 'v4')
      return this.#record.txApplyProcessing.v4.events;
    return this.metaParts.transactionEvents.map((event) => decodeXdr(xdr.TransactionEvent, event));
  }

  /** Events of each operation. */
  get operationEvents(): readonly (readonly xdr.ContractEvent[])[] {
    return this.metaParts.operationEvents.map((_events, index) => this.eventsOfOperation(index));
  }

  /** @param index of the operation, from 0 */
  eventsOfOperation(index: number): readonly xdr.ContractEvent[] {
    if (this.#record?.txApplyProcessing.type === 'v4') {
      return this.#record.txApplyProcessing.v4.operations[index]?.events ?? [];
    }
    const events = this.metaParts.operationEvents[index] ?? [];
    return events.map((event) => decodeXdr(xdr.ContractEvent, event));
  }

  get diagnosticEvents(): readonly xdr.DiagnosticEvent[] {
    return this.metaParts.diagnosticEvents.map((event) => decodeXdr(xdr.DiagnosticEvent, event));
  }
}

function changesOf(list: Uint8Array): xdr.LedgerEntryChange[] {
  return new XdrCursor(list)
    .takeList(xdr.LedgerEntryChange)
    .map((change) => decodeXdr(xdr.LedgerEntryChange, change));
}
