import type { xdr } from '@stellar/stellar-sdk';

/** A transaction as a closed ledger records it. */
export class ClosedTransaction {
  /** Hex: the hash by which it was sent, of the fee bump where it is one. */
  readonly hash: string;
  /** From 1, in the order in which the ledger applied them. */
  readonly applicationOrder: number;
  readonly envelope: xdr.TransactionEnvelope;
  readonly #record: xdr.TransactionResultMetaV1;

  constructor(
    hash: string,
    applicationOrder: number,
    envelope: xdr.TransactionEnvelope,
    record: xdr.TransactionResultMetaV1,
  ) {
    this.hash = hash;
    this.applicationOrder = applicationOrder;
    this.envelope = envelope;
    this.#record = record;
  }

  get feeBump(): boolean {
    return this.envelope.type === 'envelopeTypeTxFeeBump';
  }

  /** Hex hash of the transaction inside a fee bump. */
  get innerHash(): string | undefined {
    const { result } = this.result;
    return result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed'
      ? Buffer.from(result.innerResultPair.transactionHash.value).toString('hex')
      : undefined;
  }

  get result(): xdr.TransactionResult {
    return this.#record.result.result;
  }

  get successful(): boolean {
    const { type } = this.result.result;
    return type === 'txSuccess' || type === 'txFeeBumpInnerSuccess';
  }

  get meta(): xdr.TransactionMeta {
    return this.#record.txApplyProcessing;
  }

  /** What the fee did to the ledger. */
  get feeChanges(): readonly xdr.LedgerEntryChange[] {
    return this.#record.feeProcessing;
  }

  /** Events of the whole transaction: its fee and its refund. */
  get transactionEvents(): readonly xdr.TransactionEvent[] {
    return this.meta.type === 'v4' ? this.meta.v4.events : [];
  }

  /** Events of each operation. */
  get operationEvents(): readonly (readonly xdr.ContractEvent[])[] {
    return this.meta.type === 'v4' ? this.meta.v4.operations.map(({ events }) => events) : [];
  }

  get diagnosticEvents(): readonly xdr.DiagnosticEvent[] {
    return this.meta.type === 'v4' ? this.meta.v4.diagnosticEvents : [];
  }
}
