import type { OperationEvents } from './operationEvents.ts';

const drop = (): void => {};

/** The collector of networks that do not emit classic events: costs nothing, keeps nothing. */
export const droppedEvents: OperationEvents = {
  transfer: drop,
  burn: drop,
  clawback: drop,
  setAuthorized: drop,
  claims: drop,
};
