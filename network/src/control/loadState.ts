import { decodeState } from '../persistence/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { imageOf, restoreImage } from './stateImage.ts';

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
