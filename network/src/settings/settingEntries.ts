import type { xdr } from '@stellar/stellar-sdk';
import { configSettingKeyId, type LedgerKeyId, type LedgerView } from '../state/index.ts';
import { SettingsError } from './settingsError.ts';
import { type SettingOf, type SettingType, STORED_SETTINGS, settingId } from './settingTypes.ts';

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
