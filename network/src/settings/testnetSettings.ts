import type { xdr } from '@stellar/stellar-sdk';
import { settingsWith } from './settingValues.ts';

/**
 * The settings of the public test network: limits, fees and lifetimes
 * (stellar-core `soroban-settings/testnet_settings_upgrade.json` as updated for protocol 28 in July 2026).
 */
export function testnetSettings(): xdr.ConfigSettingEntry[] {
  return settingsWith({
    maxContractSize: 131_072,
    maxKeySize: 250,
    maxDataEntrySize: 65_536,
    compute: {
      ledgerMaxInstructions: 580_000_000n,
      txMaxInstructions: 400_000_000n,
      feeRatePerInstructionsIncrement: 7n,
      txMemoryLimit: 41_943_040,
    },
    ledgerCost: {
      ledgerMaxDiskReadEntries: 1_000,
      ledgerMaxDiskReadBytes: 400_000,
      ledgerMaxWriteLedgerEntries: 1_000,
      ledgerMaxWriteBytes: 286_720,
      txMaxDiskReadEntries: 200,
      txMaxDiskReadBytes: 200_000,
      txMaxWriteLedgerEntries: 200,
      txMaxWriteBytes: 132_096,
      feeDiskReadLedgerEntry: 1_563n,
      feeWriteLedgerEntry: 2_500n,
      feeDiskRead1Kb: 447n,
      sorobanStateTargetSizeBytes: 4_000_000_000n,
      rentFee1KbSorobanStateSizeLow: -17_000n,
      rentFee1KbSorobanStateSizeHigh: 10_000n,
      sorobanStateRentFeeGrowthFactor: 5_000,
    },
    ledgerCostExt: { txMaxFootprintEntries: 400, feeWrite1Kb: 875n },
    feeHistorical1Kb: 4_059n,
    events: { txMaxContractEventsSizeBytes: 16_384, feeContractEvents1Kb: 5_000n },
    bandwidth: { ledgerMaxTxsSizeBytes: 266_240, txMaxSizeBytes: 132_096, feeTxSize1Kb: 406n },
    ledgerMaxTxCount: 2_000,
    ledgerMaxDependentTxClusters: 2,
    archival: {
      maxEntryTtl: 3_110_400,
      minTemporaryTtl: 720,
      minPersistentTtl: 120_960,
      persistentRentRateDenominator: 1_215n,
      tempRentRateDenominator: 2_430n,
      maxEntriesToArchive: 1_000,
      liveSorobanStateSizeWindowSampleSize: 30,
      liveSorobanStateSizeWindowSamplePeriod: 64,
      evictionScanSize: 500_000,
      startingEvictionScanLevel: 7,
    },
  });
}
