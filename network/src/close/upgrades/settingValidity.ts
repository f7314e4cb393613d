import { xdr } from '@stellar/stellar-sdk';
import { isIssuer } from '../../transaction/balances/index.ts';

/** Number of `ContractCostType`s from protocol 26 on. */
const COST_TYPES = 86;
const BUCKET_LEVELS = 11;
const MAX_CLUSTERS = 128;

const NOT_UPGRADEABLE: ReadonlySet<xdr.ConfigSettingEntry['type']> = new Set([
  'configSettingLiveSorobanStateSizeWindow',
  'configSettingEvictionIterator',
  'configSettingFrozenLedgerKeys',
  'configSettingFreezeBypassTxs',
]);

/** False for the settings that the ledger writes itself or that only deltas can change. */
export function isUpgradeable(setting: xdr.ConfigSettingEntry): boolean {
  return !NOT_UPGRADEABLE.has(setting.type);
}

/**
 * True if a setting is within the bounds that apply to every network
 * (stellar-core `SorobanNetworkConfig::isValidConfigSettingEntry`, `MinimumSorobanNetworkConfig`).
 */
export function isSettingValid(setting: xdr.ConfigSettingEntry): boolean {
  switch (setting.type) {
    case 'configSettingContractMaxSizeBytes':
      return setting.contractMaxSizeBytes >= 2_000;
    case 'configSettingContractDataKeySizeBytes':
      return setting.contractDataKeySizeBytes >= 200;
    case 'configSettingContractDataEntrySizeBytes':
      return setting.contractDataEntrySizeBytes >= 2_000;
    case 'configSettingContractCostParamsCpuInstructions':
      return areCostsValid(setting.contractCostParamsCpuInsns);
    case 'configSettingContractCostParamsMemoryBytes':
      return areCostsValid(setting.contractCostParamsMemBytes);
    case 'configSettingContractBandwidthV0':
      return isBandwidthValid(setting.contractBandwidth);
    case 'configSettingContractComputeV0':
      return isComputeValid(setting.contractCompute);
    case 'configSettingContractHistoricalDataV0':
      return setting.contractHistoricalData.feeHistorical1Kb >= 0n;
    case 'configSettingContractLedgerCostV0':
      return isLedgerCostValid(setting.contractLedgerCost);
    case 'configSettingContractLedgerCostExtV0':
      return (
        setting.contractLedgerCostExt.txMaxFootprintEntries >= 3 &&
        setting.contractLedgerCostExt.feeWrite1Kb >= 0n
      );
    case 'configSettingContractEventsV0':
      return (
        setting.contractEvents.txMaxContractEventsSizeBytes >= 200 &&
        setting.contractEvents.feeContractEvents1Kb >= 0n
      );
    case 'configSettingStateArchival':
      return isArchivalValid(setting.stateArchivalSettings);
    case 'configSettingContractParallelComputeV0': {
      const clusters = setting.contractParallelCompute.ledgerMaxDependentTxClusters;
      return clusters > 0 && clusters < MAX_CLUSTERS;
    }
    case 'configSettingScpTiming':
      return isScpTimingValid(setting.contractScpTiming);
    case 'configSettingFrozenLedgerKeysDelta': {
      const { keysToFreeze, keysToUnfreeze } = setting.frozenLedgerKeysDelta;
      return [...keysToFreeze, ...keysToUnfreeze].every(isFreezable);
    }
    default:
      return true;
  }
}

function areCostsValid(costs: readonly xdr.ContractCostParamEntry[]): boolean {
  return (
    costs.length === COST_TYPES &&
    costs.every(({ constTerm, linearTerm }) => constTerm >= 0n && linearTerm >= 0n)
  );
}

function isBandwidthValid(bandwidth: xdr.ConfigSettingContractBandwidthV0): boolean {
  const { feeTxSize1Kb, txMaxSizeBytes, ledgerMaxTxsSizeBytes } = bandwidth;
  return feeTxSize1Kb >= 0n && txMaxSizeBytes >= 10_000 && ledgerMaxTxsSizeBytes >= txMaxSizeBytes;
}

function isComputeValid(compute: xdr.ConfigSettingContractComputeV0): boolean {
  return (
    compute.feeRatePerInstructionsIncrement >= 0n &&
    compute.txMaxInstructions >= 2_500_000n &&
    compute.ledgerMaxInstructions >= compute.txMaxInstructions &&
    compute.txMemoryLimit >= 2_000_000
  );
}

function isLedgerCostValid(cost: xdr.ConfigSettingContractLedgerCostV0): boolean {
  return (
    cost.txMaxDiskReadEntries >= 3 &&
    cost.ledgerMaxDiskReadEntries >= cost.txMaxDiskReadEntries &&
    cost.txMaxDiskReadBytes >= 3_200 &&
    cost.ledgerMaxDiskReadBytes >= cost.txMaxDiskReadBytes &&
    cost.txMaxWriteLedgerEntries >= 2 &&
    cost.ledgerMaxWriteLedgerEntries >= cost.txMaxWriteLedgerEntries &&
    cost.txMaxWriteBytes >= 3_200 &&
    cost.ledgerMaxWriteBytes >= cost.txMaxWriteBytes &&
    cost.feeDiskReadLedgerEntry >= 0n &&
    cost.feeWriteLedgerEntry >= 0n &&
    cost.feeDiskRead1Kb >= 0n &&
    cost.sorobanStateTargetSizeBytes > 0n &&
    cost.rentFee1KbSorobanStateSizeHigh >= 0n
  );
}

function isArchivalValid(archival: xdr.StateArchivalSettings): boolean {
  return (
    archival.maxEntryTtl >= 1_054_080 &&
    archival.minTemporaryTtl >= 16 &&
    archival.minPersistentTtl >= 10 &&
    archival.persistentRentRateDenominator > 0n &&
    archival.tempRentRateDenominator > 0n &&
    archival.liveSorobanStateSizeWindowSampleSize >= 1 &&
    archival.liveSorobanStateSizeWindowSamplePeriod >= 1 &&
    archival.startingEvictionScanLevel >= 1 &&
    archival.startingEvictionScanLevel < BUCKET_LEVELS &&
    archival.maxEntryTtl > archival.minPersistentTtl &&
    archival.maxEntryTtl > archival.minTemporaryTtl
  );
}

function isScpTimingValid(timing: xdr.ConfigSettingScpTiming): boolean {
  return (
    isBetween(timing.ledgerTargetCloseTimeMilliseconds, 4_000, 5_000) &&
    isBetween(timing.nominationTimeoutInitialMilliseconds, 750, 2_500) &&
    isBetween(timing.nominationTimeoutIncrementMilliseconds, 750, 2_000) &&
    isBetween(timing.ballotTimeoutInitialMilliseconds, 750, 2_500) &&
    isBetween(timing.ballotTimeoutIncrementMilliseconds, 750, 2_000)
  );
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** True for accounts, contract entries, and trustlines to another issuer's asset (CAP-77). */
function isFreezable(encoded: xdr.EncodedLedgerKey): boolean {
  let key: xdr.LedgerKey;
  try {
    key = xdr.LedgerKey.fromXdr(encoded.value);
  } catch {
    return false;
  }
  switch (key.type) {
    case 'account':
    case 'contractData':
    case 'contractCode':
      return true;
    case 'trustline': {
      const { asset, accountId } = key.trustLine;
      return asset.type !== 'assetTypePoolShare' && !isIssuer(accountId, asset);
    }
    default:
      return false;
  }
}
