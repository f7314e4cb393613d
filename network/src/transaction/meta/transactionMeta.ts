import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import { type FeeEventKind, feeEvent } from '../events/index.ts';
import type { RefundableFee, TransactionOutcome } from '../result/transactionOutcome.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';

const NO_EXT = xdr.ExtensionPoint.v0();
const NO_SOROBAN_EXT = xdr.SorobanTransactionMetaExt.v0();

/** The changes and events of one operation. */
export interface OperationRecord {
  readonly changes: xdr.LedgerEntryChange[];
  readonly events: xdr.ContractEvent[];
}

/**
 * Collects the ledger changes and events of a transaction for its meta (V4). Those of the operations are kept only if the
 * transaction succeeds (stellar-core `TransactionMetaBuilder`).
 */
export class TransactionMetaBuilder {
  readonly log: DiagnosticLog;
  readonly #env: TransactionEnvironment;
  readonly #isSoroban: boolean;
  readonly #before: xdr.LedgerEntryChange[] = [];
  readonly #events: xdr.TransactionEvent[] = [];
  operations: OperationRecord[] = [];
  /** The return value of the host function. */
  returnValue: xdr.ScVal | null = null;
  /** The cost of the declared resources in stroops, once known. */
  nonRefundableFee = 0n;

  constructor(tx: ParsedTransaction, env: TransactionEnvironment) {
    this.#env = env;
    this.#isSoroban = tx.isSoroban;
    this.log = new DiagnosticLog(tx.isSoroban && env.diagnostics);
  }

  /** Adds the changes made before the first operation. */
  addBefore(ltx: LedgerTxn): void {
    this.#before.push(...ltx.changes());
  }

  /** Records the event of a fee, if the network emits it. A fee of zero does not cause an event. */
  addFee(kind: FeeEventKind, feeSource: xdr.PublicKey, amount: bigint): void {
    if (!this.#env.classicEvents) return;
    const event = feeEvent(this.#env.networkId, feeSource, kind, amount);
    if (event !== undefined) this.#events.push(event);
  }

  toXdr({ success, refundable }: TransactionOutcome): xdr.TransactionMeta {
    const operations = success ? this.operations : [];
    return xdr.TransactionMeta.v4(
      new xdr.TransactionMetaV4({
        ext: NO_EXT,
        txChangesBefore: this.#before,
        operations: operations.map(
          ({ changes, events }) => new xdr.OperationMetaV2({ ext: NO_EXT, changes, events }),
        ),
        txChangesAfter: [],
        sorobanMeta: this.#isSoroban ? this.#sorobanMeta(success, refundable) : null,
        events: this.#events,
        diagnosticEvents: this.log.events,
      }),
    );
  }

  /** A failed transaction reports only its fees. */
  #sorobanMeta(
    success: boolean,
    refundable: RefundableFee | undefined,
  ): xdr.SorobanTransactionMetaV2 | null {
    if (!success && !this.#env.resourceFeeMeta) return null;
    return new xdr.SorobanTransactionMetaV2({
      ext: this.#env.resourceFeeMeta ? this.#fees(refundable) : NO_SOROBAN_EXT,
      returnValue: success ? this.returnValue : null,
    });
  }

  #fees(refundable: RefundableFee | undefined): xdr.SorobanTransactionMetaExt {
    return xdr.SorobanTransactionMetaExt.v1(
      new xdr.SorobanTransactionMetaExtV1({
        ext: NO_EXT,
        totalNonRefundableResourceFeeCharged: this.nonRefundableFee,
        totalRefundableResourceFeeCharged: refundable?.consumed ?? 0n,
        rentFeeCharged: refundable?.consumedRent ?? 0n,
      }),
    );
  }
}
