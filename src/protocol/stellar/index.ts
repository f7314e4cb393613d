/** Stellar structures that buyer, seller and facilitator all read. Pure: bytes in, values out. */
export * from './assetMovement.ts';
export * from './authorization.ts';
export * from './authorizationKey.ts';
export * from './authorizationPreimage.ts';
export * from './i128.ts';
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
export * from './scAddress.ts';
export * from './transferCall.ts';
export * from './transferEvent.ts';
export * from './uptoCall.ts';
