import { xdr } from '@stellar/stellar-sdk';
import { oneLine } from '../../../common/visibleText.ts';
import { settingsWith } from './settingValues.ts';

/**
 * Limits, fees and lifetimes of a network: testnet's, almost none, or those of a file in the format of stellar-core and Stellar
 * Quickstart (`testnet_settings_upgrade.json`), which can contain only some settings.
 */
export type Limits = 'testnet' | 'unlimited' | LimitsFile;

/** The JSON of a `ConfigUpgradeSet` (SEP-51). */
export interface LimitsFile {
  readonly updated_entry: readonly unknown[];
}

/** Settings that the ledger maintains itself. */
const OWN: ReadonlySet<xdr.ConfigSettingEntry['type']> = new Set([
  'configSettingLiveSorobanStateSizeWindow',
  'configSettingEvictionIterator',
  'configSettingFrozenLedgerKeys',
  'configSettingFreezeBypassTxs',
]);

/** Returns the settings for given limits. @throws LimitsError */
export function limitSettings(limits: unknown): readonly xdr.ConfigSettingEntry[] {
  if (limits === 'testnet') return withoutOwn(testnetSettings());
  if (limits === 'unlimited') return withoutOwn(unlimitedSettings());
  if (typeof limits !== 'object' || limits === null || !('updated_entry' in limits)) {
    throw new LimitsError(
      'limits must be testnet, unlimited, or settings in the format of stellar-core: { "updated_entry": [ … ] }',
    );
  }
  try {
    const json = JSON.stringify({ updated_entry: limits.updated_entry });
    return xdr.ConfigUpgradeSet.fromJson(JSON.parse(json)).updatedEntry;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LimitsError(`updated_entry contains an invalid setting: ${oneLine(why)}`);
  }
}

function withoutOwn(settings: readonly xdr.ConfigSettingEntry[]): xdr.ConfigSettingEntry[] {
  return settings.filter(({ type }) => !OWN.has(type));
}

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

const MOST = 0xffff_ffff;
/** More than a transaction can declare, and therefore more than any can use. */
const MAX_INSTRUCTIONS = BigInt(MOST);
/** The memory that the Soroban host has available besides its own. */
const MAX_MEMORY = 1 << 30;

/**
 * Settings with low fees and without limits that a contract can reach: those of Stellar Quickstart's `unlimited.json`, except
 * for instructions, which would take too long, and memory, which would not fit.
 */
function unlimitedSettings(): xdr.ConfigSettingEntry[] {
  return settingsWith({
    maxContractSize: MOST,
    maxKeySize: MOST,
    maxDataEntrySize: MOST,
    compute: {
      ledgerMaxInstructions: 100n * MAX_INSTRUCTIONS,
      txMaxInstructions: MAX_INSTRUCTIONS,
      feeRatePerInstructionsIncrement: 100n,
      txMemoryLimit: MAX_MEMORY,
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

/** The limits are not valid for any network. */
export class LimitsError extends Error {
  override readonly name = 'LimitsError';
  readonly code = 'BAD_LIMITS';
}
