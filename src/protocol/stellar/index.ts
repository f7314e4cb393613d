/** Stellar structures that buyer, seller and facilitator all read. Pure: bytes in, values out. */

export * from '../../../common/authorization.ts';
export * from '../../../common/i128.ts';
export * from '../../../common/scAddress.ts';
export * from './assetMovement.ts';
export * from './authorizationKey.ts';
export * from './authorizationPreimage.ts';
export * from './instanceKey.ts';
export * from './ledgerKeys.ts';
export * from './paymentEnvelope.ts';
export { type PlainResources, plainResources } from './plainResources.ts';
export type { PlainTransfer } from './plainTransfer.ts';
export {
  type PlainTransferEvent,
  plainIncludedTransfer,
  plainTransferEvent,
} from './plainTransferEvent.ts';
export * from './transferCall.ts';
export * from './transferEvent.ts';
export * from './uptoCall.ts';
