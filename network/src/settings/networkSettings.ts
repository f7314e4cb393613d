import { xdr } from '@stellar/stellar-sdk';
import {
  configSettingKeyId,
  type LedgerKeyId,
  type LedgerView,
  ledgerKeyIdOfXdr,
} from '../state/index.ts';

/** The name of a network setting, as in the XDR union. */
type SettingType = xdr.ConfigSettingEntry['type'];
type SettingOf<T extends SettingType> = Extract<xdr.ConfigSettingEntry, { type: T }>;

/** The settings that the ledger stores; the two deltas appear only in upgrades. */
const STORED_SETTINGS = [
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

function settingId(type: SettingType): xdr.ConfigSettingId {
  return xdr.ConfigSettingId.fromName(type);
}

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
function readNetworkSettings(view: LedgerView): NetworkSettings {
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

/**
 * The ledger keys that the network has frozen, and the transactions that are allowed to touch them anyway (CAP-77). These are
 * network settings and almost always empty.
 */
export interface FrozenKeys {
  /** True if anything is frozen: a cheap check that usually makes all others unnecessary. */
  readonly any: boolean;
  has(id: LedgerKeyId): boolean;
  /** True for the hash of an exempt transaction (of the fee bump, if it is one). */
  bypasses(transactionHash: Uint8Array): boolean;
}

/** Nothing is frozen. */
export const noFrozenKeys: FrozenKeys = { any: false, has: () => false, bypasses: () => false };

/** The frozen keys, as listed in the network's two settings. */
function frozenKeysOf(keys: xdr.FrozenLedgerKeys, bypass: xdr.FreezeBypassTxs): FrozenKeys {
  if (keys.keys.length === 0) return noFrozenKeys;
  const frozen = new Set(keys.keys.map((key) => ledgerKeyIdOfXdr(key.value)));
  const exempt = new Set(bypass.txHashes.map((hash) => hex(hash.value)));
  return {
    any: true,
    has: (id) => frozen.has(id),
    bypasses: (hash) => exempt.has(hex(hash)),
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const KEYS = new Map<SettingType, LedgerKeyId>(
  STORED_SETTINGS.map((type) => [type, configSettingKeyId(settingId(type))]),
);

/** The ledger key of a setting. */
export function settingKeyId(type: SettingType): LedgerKeyId {
  return KEYS.get(type) ?? configSettingKeyId(settingId(type));
}

/** One setting of the ledger. @throws SettingsError `setting_missing` */
export function readSetting<T extends SettingType>(view: LedgerView, type: T): SettingOf<T> {
  const setting = settingOf(view.peek(settingKeyId(type)));
  if (setting === undefined || !isType(setting, type)) {
    throw new SettingsError('setting_missing', type);
  }
  return setting;
}

function settingOf(entry: xdr.LedgerEntry | undefined): xdr.ConfigSettingEntry | undefined {
  return entry?.data.type === 'configSetting' ? entry.data.configSetting : undefined;
}

function isType<T extends SettingType>(
  setting: xdr.ConfigSettingEntry,
  type: T,
): setting is SettingOf<T> {
  return setting.type === type;
}

type SettingsErrorCode = 'setting_missing';

/** The ledger lacks a setting that every ledger of the supported protocols has. */
class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code: SettingsErrorCode;

  constructor(code: SettingsErrorCode, setting: string) {
    super(`the ledger does not have the setting ${setting}`);
    this.code = code;
  }
}
