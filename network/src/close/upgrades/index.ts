export {
  addWindowSample,
  applyUpgrade,
  type UpgradeContext,
  writeSettings,
} from './applyUpgrade.ts';
export { isSettingValid, isUpgradeable } from './settingValidity.ts';
