import { decodeState } from '../persistence/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { imageOf, restoreImage } from './stateImage.ts';

/**
 * Closes a ledger after which the state is the one of a dump. Accounts of genesis that the dump lacks are kept: friendbot
 * has to pay. @throws RpcError, LedgerServiceError
 */
export function loadState(network: ControlNetwork, params: unknown): ClosedByControl {
  const { service, passphrase, ownAccounts } = network;
  const given = new ControlParams(params, ['passphrase', 'state']);
  const other = given.text('passphrase');
  if (other !== passphrase) {
    // Ids of contracts derive from it.
    throw invalid(`the state is of the network «${other}», not of «${passphrase}»`);
  }
  const loaded = given.base64('state', 'what svc_dumpState gave', decodeState);
  const { state } = service.engine;
  const { ledgerVersion } = loaded.header;
  // A state of an earlier protocol is upgraded by that: what an upgrade changes is the version alone.
  if (ledgerVersion > state.header.ledgerVersion) {
    throw invalid(`the state is of protocol ${ledgerVersion}, not ${state.header.ledgerVersion}`);
  }
  const keep = ownAccounts.filter((id) => {
    const entry = state.peek(id);
    return entry?.data.type === 'account' && entry.data.account.numSubEntries === 0;
  });
  const image = imageOf(loaded);
  return closedBy(service.amendLedger((ltx) => restoreImage(ltx, state, image, keep)));
}
