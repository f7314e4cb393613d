export { facilitatorEnvironment } from './facilitatorEnvironment.ts';
export { type NetworkAddresses, networkAddresses } from './networkAddresses.ts';
export {
  type NetworkChoice,
  readSettings,
  type Settings,
  whatIsWrongWithAddress,
  whatIsWrongWithPrice,
} from './settings.ts';
