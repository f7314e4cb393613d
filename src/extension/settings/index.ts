export { type NetworkAddresses, networkAddresses } from './networkAddresses.ts';
export {
  readSettings,
  type Settings,
  whatIsWrongWithAddress,
  whatIsWrongWithPrice,
} from './settings.ts';
