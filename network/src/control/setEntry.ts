import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { type LedgerEngine, NO_MOVES } from '../close/index.ts';
import { entryKeyId, ledgerKeyId, ledgerKeyOfEntry, ttlKeyId } from '../state/index.ts';
import { isPersistentKey, isSorobanKey } from '../transaction/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { putEntry, putTtl, removeEntry } from './putEntry.ts';

const UINT32_MAX = 0xffffffff;

/**
 * Closes a ledger that stores the given entry unchanged, or removes one. Otherwise only the header's `totalCoins` and, for an
 * offer, its `idPool` are adjusted. @throws RpcError, LedgerServiceError
 */
export function setEntry({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const given = new ControlParams(params, ['entry', 'liveUntilLedger', 'remove']);
  if (given.has('remove')) return remove(service, given);
  const { engine } = service;
  const entry = given.base64('entry', 'a LedgerEntry', (bytes) => xdr.LedgerEntry.fromXdr(bytes));
  const key = ledgerKeyOfEntry(entry);
  refuseUnsettable(engine, entry);
  const id = entryKeyId(entry);
  if (engine.state.archived(id) !== undefined) {
    throw invalid('the entry is archived; restore it with a transaction');
  }
  if (!isSorobanKey(key)) {
    if (given.has('liveUntilLedger')) throw invalid('liveUntilLedger is only for contract entries');
    return closedBy(
      service.amendLedger((ltx) => {
        putEntry(ltx, engine.networkId, entry);
        return NO_MOVES;
      }),
    );
  }
  const until = given.has('liveUntilLedger')
    ? given.whole('liveUntilLedger', [0, UINT32_MAX])
    : undefined;
  return closedBy(
    service.amendLedger((ltx) => {
      putEntry(ltx, engine.networkId, entry);
      const known = ltx.peek(ttlKeyId(id)) !== undefined;
      if (until !== undefined) putTtl(ltx, id, until);
      else if (!known) putTtl(ltx, id, ltx.header.ledgerSeq + leastLife(engine, key));
      return NO_MOVES;
    }),
  );
}

function remove(service: ControlNetwork['service'], given: ControlParams): ClosedByControl {
  if (given.has('entry') || given.has('liveUntilLedger')) {
    throw invalid('remove cannot be combined with other parameters');
  }
  const key = given.base64('remove', 'a LedgerKey', (bytes) => xdr.LedgerKey.fromXdr(bytes));
  if (key.type === 'ttl' || key.type === 'configSetting') {
    throw invalid(`a ${key.type} entry cannot be removed`);
  }
  const { networkId, state } = service.engine;
  const id = ledgerKeyId(key);
  if (state.peek(id) === undefined) throw invalid('no live entry has this key');
  return closedBy(
    service.amendLedger((ltx) => {
      removeEntry(ltx, networkId, id);
      return NO_MOVES;
    }),
  );
}

/** Number of ledgers for which a new contract entry lives after the one that creates it (CAP-46-12). */
export function leastLife(engine: LedgerEngine, key: xdr.LedgerKey): number {
  const { minPersistentTtl, minTemporaryTtl } = engine.settings().archival;
  return (isPersistentKey(key) ? minPersistentTtl : minTemporaryTtl) - 1;
}

function refuseUnsettable(engine: LedgerEngine, { data }: xdr.LedgerEntry): void {
  switch (data.type) {
    case 'ttl':
      throw invalid('a TTL is set with its entry, through liveUntilLedger');
    case 'configSetting':
      throw invalid('network settings cannot be set here; use svc_setSettings');
    case 'contractCode': {
      const { hash, code } = data.contractCode;
      if (!createHash('sha256').update(code).digest().equals(hash.value)) {
        throw invalid('the hash of the code is not its SHA-256');
      }
      try {
        engine.host.cacheModule(code);
      } catch {
        throw invalid('the code is not WebAssembly that the network can run');
      }
      return;
    }
    case 'account':
      if (data.account.balance < 0n) throw invalid('a balance cannot be negative');
      return;
    case 'trustline':
      if (data.trustLine.balance < 0n) throw invalid('a balance cannot be negative');
  }
}
