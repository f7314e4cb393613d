import { xdr } from '@stellar/stellar-sdk';

/** The name of a network setting, as in the XDR union. */
export type SettingType = xdr.ConfigSettingEntry['type'];
export type SettingOf<T extends SettingType> = Extract<xdr.ConfigSettingEntry, { type: T }>;

/** The settings that the ledger stores; the two deltas appear only in upgrades. */
export const STORED_SETTINGS = [
  'configSettingContractMaxSizeBytes',
  'configSettingContractComputeV0',
  'configSettingContractLedgerCostV0',
  'configSettingContractHistoricalDataV0',
  'configSettingContractEventsV0',
  'configSettingContractBandwidthV0',
  'configSettingContractCostParamsCpuInstructions',
  'configSettingContractCostParamsMemoryBytes',
  'configSettingContractDataKeySizeBytes',
  'configSettingContractDataEntrySizeBytes',
  'configSettingStateArchival',
  'configSettingContractExecutionLanes',
  'configSettingLiveSorobanStateSizeWindow',
  'configSettingEvictionIterator',
  'configSettingContractParallelComputeV0',
  'configSettingContractLedgerCostExtV0',
  'configSettingScpTiming',
  'configSettingFrozenLedgerKeys',
  'configSettingFreezeBypassTxs',
] as const satisfies readonly SettingType[];

export function settingId(type: SettingType): xdr.ConfigSettingId {
  return xdr.ConfigSettingId.fromName(type);
}
