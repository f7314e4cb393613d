export {
  assetContractId,
  assetName,
  CollectedEvents,
  droppedEvents,
  type EventParty,
  type OperationEvents,
} from './collectedEvents.ts';
export { type FeeEventKind, feeEvent } from './feeEvent.ts';
