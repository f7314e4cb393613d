import type { xdr } from '@stellar/stellar-sdk';
import { settingsWith } from './settingValues.ts';

const MOST = 0xffff_ffff;
/** More than a transaction can declare, and therefore more than any can use. */
const MOST_INSTRUCTIONS = BigInt(MOST);
/** The memory that the Soroban host has available besides its own. */
const MOST_MEMORY = 1 << 30;

/**
 * Settings with low fees and without limits that a contract can reach: those of Stellar Quickstart's `unlimited.json`, except
 * for instructions, which would take too long, and memory, which would not fit.
 */
export function unlimitedSettings(): xdr.ConfigSettingEntry[] {
  return settingsWith({
    maxContractSize: MOST,
    maxKeySize: MOST,
    maxDataEntrySize: MOST,
    compute: {
      ledgerMaxInstructions: 100n * MOST_INSTRUCTIONS,
      txMaxInstructions: MOST_INSTRUCTIONS,
      feeRatePerInstructionsIncrement: 100n,
      txMemoryLimit: MOST_MEMORY,
    },
    ledgerCost: {
      ledgerMaxDiskReadEntries: MOST,
      ledgerMaxDiskReadBytes: MOST,
      ledgerMaxWriteLedgerEntries: MOST,
      ledgerMaxWriteBytes: MOST,
      txMaxDiskReadEntries: MOST,
      txMaxDiskReadBytes: MOST,
      txMaxWriteLedgerEntries: MOST,
      txMaxWriteBytes: MOST,
      feeDiskReadLedgerEntry: 1_000n,
      feeWriteLedgerEntry: 3_000n,
      feeDiskRead1Kb: 1_000n,
      sorobanStateTargetSizeBytes: BigInt(MOST),
      rentFee1KbSorobanStateSizeLow: -17_000n,
      rentFee1KbSorobanStateSizeHigh: 10_000n,
      sorobanStateRentFeeGrowthFactor: 5_000,
    },
    ledgerCostExt: { txMaxFootprintEntries: MOST, feeWrite1Kb: 3_500n },
    feeHistorical1Kb: 5_000n,
    events: { txMaxContractEventsSizeBytes: MOST, feeContractEvents1Kb: 300n },
    bandwidth: { ledgerMaxTxsSizeBytes: MOST, txMaxSizeBytes: MOST - 2_000, feeTxSize1Kb: 500n },
    ledgerMaxTxCount: MOST,
    ledgerMaxDependentTxClusters: 1,
    archival: {
      maxEntryTtl: 3_110_400,
      minTemporaryTtl: 16,
      minPersistentTtl: 120_960,
      persistentRentRateDenominator: 535_680n,
      tempRentRateDenominator: 5_356_800n,
      maxEntriesToArchive: 100,
      liveSorobanStateSizeWindowSampleSize: 30,
      liveSorobanStateSizeWindowSamplePeriod: 64,
      evictionScanSize: 100_000,
      startingEvictionScanLevel: 6,
    },
  });
}
