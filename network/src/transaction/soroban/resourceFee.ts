import type { ResourceFee } from '../../host/index.ts';
import type { NetworkSettings } from '../../settings/index.ts';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import type { InnerTransaction } from '../envelope/index.ts';
import type { RefundableFee } from '../result/transactionOutcome.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { diskReadEntries } from './footprintKeys.ts';

const INSTRUCTIONS_INCREMENT = 10_000n;
const KILOBYTE = 1_024n;
/** Bytes that history keeps for every transaction besides its envelope: its result. */
const RESULT_BYTES = 300n;

/**
 * The fee for the resources that a Soroban transaction declares, and for the given number of bytes of events and return value
 * (CAP-46-07; `compute_transaction_resource_fee` of `soroban-env-host`). Every part is rounded up separately. A transaction is
 * charged for what it declares, whatever it uses.
 */
export function resourceFeeOf(
  tx: InnerTransaction,
  { compute, ledgerCost, ledgerCostExt, historical, bandwidth, events }: NetworkSettings,
  contractEventsBytes: number,
): ResourceFee {
  const resources = tx.sorobanData?.resources;
  if (resources === undefined) return { nonRefundable: 0n, refundable: 0n };
  const { instructions, diskReadBytes, writeBytes, footprint } = resources;
  const size = BigInt(tx.size);
  return {
    nonRefundable:
      perIncrement(
        BigInt(instructions),
        compute.feeRatePerInstructionsIncrement,
        INSTRUCTIONS_INCREMENT,
      ) +
      ledgerCost.feeDiskReadLedgerEntry * BigInt(diskReadEntries(tx)) +
      ledgerCost.feeWriteLedgerEntry * BigInt(footprint.readWrite.length) +
      perKilobyte(BigInt(diskReadBytes), ledgerCost.feeDiskRead1Kb) +
      perKilobyte(BigInt(writeBytes), ledgerCostExt.feeWrite1Kb) +
      perKilobyte(size + RESULT_BYTES, historical.feeHistorical1Kb) +
      perKilobyte(size, bandwidth.feeTxSize1Kb),
    refundable: perKilobyte(BigInt(contractEventsBytes), events.feeContractEvents1Kb),
  };
}

function perKilobyte(bytes: bigint, rate: bigint): bigint {
  return perIncrement(bytes, rate, KILOBYTE);
}

/** The rate per increment, applied proportionally and rounded up. */
function perIncrement(amount: bigint, rate: bigint, increment: bigint): bigint {
  return (amount * rate + increment - 1n) / increment;
}

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
