export { facilitatorEnvironment } from './facilitatorEnvironment.ts';
export { type NetworkAddresses, networkAddresses } from './networkAddresses.ts';
export {
  confirmedOnly,
  type Decision,
  describeProjectSetting,
  type ProjectSetting,
  projectSettings,
  type ReadLayers,
} from './projectSettings.ts';
export {
  type NetworkChoice,
  readSettings,
  type Settings,
  whatIsUnusualAboutPrice,
  whatIsWrongWithAddress,
  whatIsWrongWithPrice,
} from './settings.ts';
export {
  type Difference,
  type TerminalChoice,
  type TerminalVariables,
  terminalVariables,
  type Variables,
  valueInEnvFile,
} from './terminalVariables.ts';
