import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerView } from '../state/index.ts';
import { type FrozenKeys, frozenKeysOf } from './frozenKeys.ts';
import { readSetting, settingKeyId } from './settingEntries.ts';
import { STORED_SETTINGS } from './settingTypes.ts';

/** The settings of the network by name: limits, fees, archival, frozen keys. */
export interface NetworkSettings {
  /** Every setting in the ledger. */
  readonly entries: readonly xdr.ConfigSettingEntry[];
  /** Maximum size of a contract's code in bytes. */
  readonly maxContractSize: number;
  /** Maximum size of an entry's key in a footprint, in bytes. */
  readonly maxKeySize: number;
  /** Maximum size of a contract data entry in bytes. */
  readonly maxDataEntrySize: number;
  readonly compute: xdr.ConfigSettingContractComputeV0;
  readonly ledgerCost: xdr.ConfigSettingContractLedgerCostV0;
  readonly ledgerCostExt: xdr.ConfigSettingContractLedgerCostExtV0;
  readonly historical: xdr.ConfigSettingContractHistoricalDataV0;
  readonly events: xdr.ConfigSettingContractEventsV0;
  readonly bandwidth: xdr.ConfigSettingContractBandwidthV0;
  readonly lanes: xdr.ConfigSettingContractExecutionLanesV0;
  readonly parallelCompute: xdr.ConfigSettingContractParallelComputeV0;
  readonly archival: xdr.StateArchivalSettings;
  readonly scpTiming: xdr.ConfigSettingScpTiming;
  readonly frozenKeys: FrozenKeys;
}

/** Reads all settings of a ledger. @throws SettingsError `setting_missing` */
export function readNetworkSettings(view: LedgerView): NetworkSettings {
  return {
    entries: STORED_SETTINGS.map((type) => readSetting(view, type)),
    maxContractSize: readSetting(view, 'configSettingContractMaxSizeBytes').contractMaxSizeBytes,
    maxKeySize: readSetting(view, 'configSettingContractDataKeySizeBytes').contractDataKeySizeBytes,
    maxDataEntrySize: readSetting(view, 'configSettingContractDataEntrySizeBytes')
      .contractDataEntrySizeBytes,
    compute: readSetting(view, 'configSettingContractComputeV0').contractCompute,
    ledgerCost: readSetting(view, 'configSettingContractLedgerCostV0').contractLedgerCost,
    ledgerCostExt: readSetting(view, 'configSettingContractLedgerCostExtV0').contractLedgerCostExt,
    historical: readSetting(view, 'configSettingContractHistoricalDataV0').contractHistoricalData,
    events: readSetting(view, 'configSettingContractEventsV0').contractEvents,
    bandwidth: readSetting(view, 'configSettingContractBandwidthV0').contractBandwidth,
    lanes: readSetting(view, 'configSettingContractExecutionLanes').contractExecutionLanes,
    parallelCompute: readSetting(view, 'configSettingContractParallelComputeV0')
      .contractParallelCompute,
    archival: readSetting(view, 'configSettingStateArchival').stateArchivalSettings,
    scpTiming: readSetting(view, 'configSettingScpTiming').contractScpTiming,
    frozenKeys: frozenKeysOf(
      readSetting(view, 'configSettingFrozenLedgerKeys').frozenLedgerKeys,
      readSetting(view, 'configSettingFreezeBypassTxs').freezeBypassTxs,
    ),
  };
}

/**
 * Caches the settings that were last read, and reads them again only if an entry is another object than before: entries are
 * immutable values that are replaced, never changed.
 */
export class SettingsReader {
  #settings: NetworkSettings | undefined;
  #entries: (xdr.LedgerEntry | undefined)[] = [];

  /** @throws SettingsError `setting_missing` */
  read(view: LedgerView): NetworkSettings {
    const entries = STORED_SETTINGS.map((type) => view.peek(settingKeyId(type)));
    if (this.#settings !== undefined && entries.every((e, at) => e === this.#entries[at])) {
      return this.#settings;
    }
    this.#settings = readNetworkSettings(view);
    this.#entries = entries;
    return this.#settings;
  }
}
