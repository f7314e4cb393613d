import { writeSettings } from '../close/index.ts';
import { decodeState, encodeState } from '../persistence/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { createAccounts } from './fundAccounts.ts';
import { imageOf, restoreImage } from './stateImage.ts';

/** Keeps a snapshot of the state after the last ledger. @throws RpcError */
export function snapshot(
  { service: { engine }, snapshots }: ControlNetwork,
  params: unknown,
): { id: string; ledger: number } {
  new ControlParams(params, []);
  return { id: snapshots.take(engine.state), ledger: engine.state.header.ledgerSeq };
}

/**
 * Closes a ledger after which the state is that of a snapshot. The snapshot can be reverted to again; later ones are deleted.
 * @throws RpcError, LedgerServiceError
 */
export function revert({ service, snapshots }: ControlNetwork, params: unknown): ClosedByControl {
  const id = new ControlParams(params, ['id']).text('id');
  const image = snapshots.get(id);
  if (image === undefined) throw invalid(`no snapshot with this id is kept: ${id}`);
  const { state } = service.engine;
  const ledger = service.amendLedger((ltx) => restoreImage(ltx, state, image));
  snapshots.dropAfter(id);
  return closedBy(ledger);
}

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

/** Returns the entire state, to be kept in a file and loaded into another network. @throws RpcError */
export function dumpState(
  { service, passphrase }: ControlNetwork,
  params: unknown,
): { passphrase: string; state: string } {
  new ControlParams(params, []);
  return { passphrase, state: encodeState(service.engine.state).toString('base64') };
}

/**
 * Closes a ledger after which the state is that of a dump. Genesis accounts that the dump lacks are kept, because friendbot
 * needs its account. @throws RpcError, LedgerServiceError
 */
export function loadState(network: ControlNetwork, params: unknown): ClosedByControl {
  const { service, passphrase, ownAccounts } = network;
  const given = new ControlParams(params, ['passphrase', 'state']);
  const other = given.text('passphrase');
  if (other !== passphrase) {
    // Contract ids derive from the passphrase.
    throw invalid(`the state belongs to the network "${other}", not to "${passphrase}"`);
  }
  const loaded = given.base64('state', 'the output of svc_dumpState', decodeState);
  const { state } = service.engine;
  const { ledgerVersion } = loaded.header;
  // Loading upgrades a state of an earlier protocol, because an upgrade changes only the version.
  if (ledgerVersion > state.header.ledgerVersion) {
    throw invalid(
      `the state is from protocol ${ledgerVersion}, but the network runs ${state.header.ledgerVersion}`,
    );
  }
  const keep = ownAccounts.filter((id) => {
    const entry = state.peek(id);
    return entry?.data.type === 'account' && entry.data.account.numSubEntries === 0;
  });
  const image = imageOf(loaded);
  return closedBy(service.amendLedger((ltx) => restoreImage(ltx, state, image, keep)));
}
