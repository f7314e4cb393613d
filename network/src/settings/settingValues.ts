import { xdr } from '@stellar/stellar-sdk';
import { COST_PARAMETERS } from './costParameters.ts';

/** The values that differ between networks; all others are the same everywhere. Fees are in stroops. */
export interface SettingValues {
  readonly maxContractSize: number;
  readonly maxKeySize: number;
  readonly maxDataEntrySize: number;
  readonly compute: Fields<xdr.ConfigSettingContractComputeV0>;
  readonly ledgerCost: Fields<xdr.ConfigSettingContractLedgerCostV0>;
  readonly ledgerCostExt: Fields<xdr.ConfigSettingContractLedgerCostExtV0>;
  readonly feeHistorical1Kb: bigint;
  readonly events: Fields<xdr.ConfigSettingContractEventsV0>;
  readonly bandwidth: Fields<xdr.ConfigSettingContractBandwidthV0>;
  readonly ledgerMaxTxCount: number;
  readonly ledgerMaxDependentTxClusters: number;
  readonly archival: Fields<xdr.StateArchivalSettings>;
}

/** The data fields of an XDR structure. */
type Fields<T> = Pick<T, { [K in keyof T]: T[K] extends number | bigint ? K : never }[keyof T]>;

const NO_EXT = xdr.ExtensionPoint.v0();

/** Creates all settings of a network, with no frozen keys and an empty state. */
export function settingsWith(values: SettingValues): xdr.ConfigSettingEntry[] {
  const S = xdr.ConfigSettingEntry;
  const windowSize = values.archival.liveSorobanStateSizeWindowSampleSize;
  return [
    S.configSettingContractMaxSizeBytes(values.maxContractSize),
    S.configSettingContractComputeV0(new xdr.ConfigSettingContractComputeV0(values.compute)),
    S.configSettingContractLedgerCostV0(
      new xdr.ConfigSettingContractLedgerCostV0(values.ledgerCost),
    ),
    S.configSettingContractHistoricalDataV0(
      new xdr.ConfigSettingContractHistoricalDataV0({ feeHistorical1Kb: values.feeHistorical1Kb }),
    ),
    S.configSettingContractEventsV0(new xdr.ConfigSettingContractEventsV0(values.events)),
    S.configSettingContractBandwidthV0(new xdr.ConfigSettingContractBandwidthV0(values.bandwidth)),
    S.configSettingContractCostParamsCpuInstructions(
      COST_PARAMETERS.map(([, constant, linear]) => costEntry(constant, linear)),
    ),
    S.configSettingContractCostParamsMemoryBytes(
      COST_PARAMETERS.map(([, , , constant, linear]) => costEntry(constant, linear)),
    ),
    S.configSettingContractDataKeySizeBytes(values.maxKeySize),
    S.configSettingContractDataEntrySizeBytes(values.maxDataEntrySize),
    S.configSettingStateArchival(new xdr.StateArchivalSettings(values.archival)),
    S.configSettingContractExecutionLanes(
      new xdr.ConfigSettingContractExecutionLanesV0({ ledgerMaxTxCount: values.ledgerMaxTxCount }),
    ),
    S.configSettingLiveSorobanStateSizeWindow(new Array<bigint>(windowSize).fill(0n)),
    S.configSettingEvictionIterator(
      new xdr.EvictionIterator({
        bucketListLevel: values.archival.startingEvictionScanLevel,
        isCurrBucket: true,
        bucketFileOffset: 0n,
      }),
    ),
    S.configSettingContractParallelComputeV0(
      new xdr.ConfigSettingContractParallelComputeV0({
        ledgerMaxDependentTxClusters: values.ledgerMaxDependentTxClusters,
      }),
    ),
    S.configSettingContractLedgerCostExtV0(
      new xdr.ConfigSettingContractLedgerCostExtV0(values.ledgerCostExt),
    ),
    S.configSettingScpTiming(
      new xdr.ConfigSettingScpTiming({
        ledgerTargetCloseTimeMilliseconds: 5_000,
        nominationTimeoutInitialMilliseconds: 1_000,
        nominationTimeoutIncrementMilliseconds: 1_000,
        ballotTimeoutInitialMilliseconds: 1_000,
        ballotTimeoutIncrementMilliseconds: 1_000,
      }),
    ),
    S.configSettingFrozenLedgerKeys(new xdr.FrozenLedgerKeys({ keys: [] })),
    S.configSettingFreezeBypassTxs(new xdr.FreezeBypassTxs({ txHashes: [] })),
  ];
}

function costEntry(constant: number, linear: number): xdr.ContractCostParamEntry {
  return new xdr.ContractCostParamEntry({
    ext: NO_EXT,
    constTerm: BigInt(constant),
    linearTerm: BigInt(linear),
  });
}
