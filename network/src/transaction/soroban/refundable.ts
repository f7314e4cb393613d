import type { DiagnosticLog } from '../diagnostics/index.ts';
import type { InnerTransaction } from '../envelope/index.ts';
import type { RefundableFee } from '../result/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { resourceFeeOf } from './resourceFee.ts';

/**
 * Takes rent and the fee for events out of the refundable fee; false if it does not cover
 * them (stellar-core `RefundableFeeTracker::consumeRefundableSorobanResources`).
 */
export function consumeRefundable(
  tx: InnerTransaction,
  { settings }: TransactionEnvironment,
  fee: RefundableFee,
  rentFee: bigint,
  contractEventsBytes: number,
  log: DiagnosticLog,
): boolean {
  if (!fee.consumeRent(rentFee)) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'refundable resource fee was not sufficient to cover the ledger storage rent: {} > {}',
      [fee.consumedRent, fee.maximum],
    );
    return false;
  }
  const { refundable } = resourceFeeOf(tx, settings, contractEventsBytes);
  if (!fee.consumeEvents(refundable)) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'refundable resource fee was not sufficient to cover the events fee after paying for ledger storage rent: {} > {}',
      [refundable, fee.maximum - fee.consumedRent],
    );
    return false;
  }
  return true;
}
