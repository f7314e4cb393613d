import type { xdr } from '@stellar/stellar-sdk';
import { type SettingValues, settingsWith } from './settingValues.ts';

/**
 * The initial settings of a network whose first ledger already runs protocol 26 or later (stellar-core
 * `ledger/NetworkConfig.h`, `InitialSorobanNetworkConfig` and `Protcol23UpgradedConfig`). With `highLimits`, those that
 * stellar-core's tests use instead (`TestOverrideSorobanNetworkConfig`): the same fees, with limits that no test reaches.
 */
export function initialSettings(highLimits = false): xdr.ConfigSettingEntry[] {
  return settingsWith(highLimits ? HIGH_LIMITS : INITIAL);
}

const INITIAL: SettingValues = {
  maxContractSize: 2_000,
  maxKeySize: 200,
  maxDataEntrySize: 2_000,
  compute: {
    ledgerMaxInstructions: 2_500_000n,
    txMaxInstructions: 2_500_000n,
    feeRatePerInstructionsIncrement: 100n,
    txMemoryLimit: 2_000_000,
  },
  ledgerCost: {
    ledgerMaxDiskReadEntries: 3,
    ledgerMaxDiskReadBytes: 3_200,
    ledgerMaxWriteLedgerEntries: 2,
    ledgerMaxWriteBytes: 3_200,
    txMaxDiskReadEntries: 3,
    txMaxDiskReadBytes: 3_200,
    txMaxWriteLedgerEntries: 2,
    txMaxWriteBytes: 3_200,
    feeDiskReadLedgerEntry: 5_000n,
    feeWriteLedgerEntry: 20_000n,
    feeDiskRead1Kb: 1_000n,
    sorobanStateTargetSizeBytes: 3_000_000_000n,
    rentFee1KbSorobanStateSizeLow: -17_000n,
    rentFee1KbSorobanStateSizeHigh: 10_000n,
    sorobanStateRentFeeGrowthFactor: 1,
  },
  ledgerCostExt: { txMaxFootprintEntries: 3, feeWrite1Kb: 3_500n },
  feeHistorical1Kb: 100n,
  events: { txMaxContractEventsSizeBytes: 200, feeContractEvents1Kb: 200n },
  bandwidth: { ledgerMaxTxsSizeBytes: 10_000, txMaxSizeBytes: 10_000, feeTxSize1Kb: 2_000n },
  ledgerMaxTxCount: 1,
  ledgerMaxDependentTxClusters: 1,
  archival: {
    maxEntryTtl: 1_054_080,
    minTemporaryTtl: 16,
    minPersistentTtl: 4_096,
    persistentRentRateDenominator: 1_215n,
    tempRentRateDenominator: 2_430n,
    maxEntriesToArchive: 100,
    liveSorobanStateSizeWindowSampleSize: 30,
    liveSorobanStateSizeWindowSamplePeriod: 64,
    evictionScanSize: 100_000,
    startingEvictionScanLevel: 6,
  },
};

const HIGH_LIMITS: SettingValues = {
  ...INITIAL,
  maxContractSize: 128_000,
  maxKeySize: 200_000,
  maxDataEntrySize: 2_000_000,
  compute: {
    ...INITIAL.compute,
    ledgerMaxInstructions: 25_000_000_000n,
    txMaxInstructions: 250_000_000n,
    txMemoryLimit: 200_000_000,
  },
  ledgerCost: {
    ...INITIAL.ledgerCost,
    ledgerMaxDiskReadEntries: 30_000,
    ledgerMaxDiskReadBytes: 320_000_000,
    ledgerMaxWriteLedgerEntries: 20_000,
    ledgerMaxWriteBytes: 320_000_000,
    txMaxDiskReadEntries: 300,
    txMaxDiskReadBytes: 3_200_000,
    txMaxWriteLedgerEntries: 200,
    txMaxWriteBytes: 3_200_000,
  },
  ledgerCostExt: { ...INITIAL.ledgerCostExt, txMaxFootprintEntries: 300 },
  events: { ...INITIAL.events, txMaxContractEventsSizeBytes: 4_000 },
  bandwidth: {
    ...INITIAL.bandwidth,
    ledgerMaxTxsSizeBytes: 50_000_000,
    txMaxSizeBytes: 500_000,
  },
  ledgerMaxTxCount: 100,
  archival: { ...INITIAL.archival, maxEntryTtl: 6_307_200 },
};
