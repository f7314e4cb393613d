export { applyUpgrade, type UpgradeContext } from './applyUpgrade.ts';
export { addWindowSample } from './writeSettings.ts';
