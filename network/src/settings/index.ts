export { initialSettings } from './initialSettings.ts';
export {
  type Limits,
  LimitsError,
  type LimitsFile,
  limitSettings,
  testnetSettings,
} from './limitsFile.ts';
export {
  type FrozenKeys,
  type NetworkSettings,
  noFrozenKeys,
  readSetting,
  SettingsReader,
  settingKeyId,
} from './networkSettings.ts';
