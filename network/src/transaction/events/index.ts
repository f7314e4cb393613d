export { assetContractId } from './assetContract.ts';
export { assetName } from './assetName.ts';
export { CollectedEvents } from './collectedEvents.ts';
export { droppedEvents } from './droppedEvents.ts';
export { type FeeEventKind, feeEvent } from './feeEvent.ts';
export type { EventParty, OperationEvents } from './operationEvents.ts';
