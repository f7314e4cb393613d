import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { restoreImage } from './stateImage.ts';

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
