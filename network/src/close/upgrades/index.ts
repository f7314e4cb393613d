export { applyUpgrade, type UpgradeContext } from './applyUpgrade.ts';
export { isSettingValid, isUpgradeable } from './settingValidity.ts';
export { addWindowSample, writeSettings } from './writeSettings.ts';
