import type { OperationEvents } from './operationEvents.ts';

const drop = (): void => {};

/** The collector for networks that do not emit classic events: drops everything. */
export const droppedEvents: OperationEvents = {
  transfer: drop,
  burn: drop,
  clawback: drop,
  setAuthorized: drop,
  claims: drop,
};
