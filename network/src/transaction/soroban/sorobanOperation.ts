import type { xdr } from '@stellar/stellar-sdk';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import type { InnerTransaction } from '../envelope/index.ts';
import type { RefundableFee } from '../result/transactionOutcome.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import type { SorobanChanges } from './sorobanChanges.ts';

/** The context in which a Soroban operation is applied. */
export interface SorobanContext {
  readonly tx: InnerTransaction;
  readonly data: xdr.SorobanTransactionData;
  readonly env: TransactionEnvironment;
  readonly changes: SorobanChanges;
  readonly refundable: RefundableFee;
  readonly log: DiagnosticLog;
  /** 32 bytes from which the host derives its pseudo-random numbers. */
  readonly prngSeed: Uint8Array;
}

/** The outcome of a Soroban operation. */
export interface SorobanResult {
  readonly result: xdr.OperationResult;
  readonly success: boolean;
  readonly events: xdr.ContractEvent[];
  readonly returnValue: xdr.ScVal | null;
}

/** The host contradicted itself or reached its own limits: the transaction ends with `txINTERNAL_ERROR`. */
export class HostInternalError extends Error {
  override readonly name = 'HostInternalError';
  readonly code = 'host_internal_error';
}
