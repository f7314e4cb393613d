import { xdr } from '@stellar/stellar-sdk';
import { NO_MOVES } from '../close/index.ts';
import { ledgerKeyId, ttlKeyId } from '../state/index.ts';
import { isSorobanKey } from '../transaction/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { putTtl } from './putEntry.ts';

/**
 * Closes a ledger in which a contract entry is no longer live: a persistent one is archived and can be restored, a temporary
 * one is deleted. @throws RpcError, LedgerServiceError
 */
export function expireEntry({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const key = new ControlParams(params, ['key']).base64('key', 'a LedgerKey', (bytes) =>
    xdr.LedgerKey.fromXdr(bytes),
  );
  if (!isSorobanKey(key)) throw invalid('only contract entries expire: contractData, contractCode');
  const { state } = service.engine;
  const id = ledgerKeyId(key);
  const ttl = state.peek(ttlKeyId(id));
  if (state.peek(id) === undefined || ttl?.data.type !== 'ttl') {
    throw invalid('no live entry has this key');
  }
  if (ttl.data.ttl.liveUntilLedgerSeq < state.header.ledgerSeq) {
    throw invalid('the entry has already expired');
  }
  return closedBy(
    service.amendLedger((ltx) => {
      putTtl(ltx, id, ltx.header.ledgerSeq - 1);
      return NO_MOVES;
    }),
  );
}
