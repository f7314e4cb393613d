export { type FrozenKeys, noFrozenKeys } from './frozenKeys.ts';
export { initialSettings } from './initialSettings.ts';
export { type Limits, type LimitsFile, limitSettings } from './limits.ts';
export { LimitsError } from './limitsError.ts';
export { type NetworkSettings, SettingsReader } from './networkSettings.ts';
export { readSetting, settingKeyId } from './settingEntries.ts';
export { testnetSettings } from './testnetSettings.ts';
