import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Closes a ledger now, with the waiting transactions that fit. @throws RpcError, LedgerServiceError */
export function closeLedger({ service }: ControlNetwork, params: unknown): ClosedByControl {
  new ControlParams(params, []);
  return closedBy(service.closeLedger());
}
