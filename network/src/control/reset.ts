import { writeSettings } from '../close/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';
import { createAccounts } from './fundAccounts.ts';
import { imageOf, restoreImage } from './stateImage.ts';

/**
 * Closes a ledger after which the state is the one with which the network began. Waiting transactions, snapshots, faults
 * and impersonation are removed; ledgers, time, protocol and close mode are kept. @throws RpcError, LedgerServiceError
 */
export function reset(network: ControlNetwork, params: unknown): ClosedByControl {
  new ControlParams(params, []);
  const { service, snapshots, faults, initialState, forgetReads, funded, limits } = network;
  const { engine } = service;
  const image = imageOf(initialState());
  service.dropWaiting();
  const ledger = service.amendLedger((ltx) => {
    const moves = restoreImage(ltx, engine.state, image);
    createAccounts(ltx, engine.networkId, funded);
    writeSettings(ltx, limits, (view) => engine.stateSize(view));
    return moves;
  });
  forgetReads();
  snapshots.clear();
  faults.clear();
  engine.impersonation.clear();
  return closedBy(ledger);
}
