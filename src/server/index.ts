/** The facilitator as other programs start and configure it. */
export { type Clock, systemClock } from './clock.ts';
export type { FacilitatorConfig, SigningSecrets } from './config.ts';
export { ConfigError } from './configError.ts';
export { configFromEnvironment } from './configFromEnvironment.ts';
export {
  type CreateChannelsOptions,
  type CreatedChannels,
  createChannels,
} from './createChannels.ts';
export type { Logger } from './logger.ts';
export { RpcError } from './network/index.ts';
export { deriveChannelSecrets } from './settlement/index.ts';
export {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
} from './startFacilitator.ts';
