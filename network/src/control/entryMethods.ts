import { createHash } from 'node:crypto';
import { Asset, xdr } from '@stellar/stellar-sdk';
import { parseDecimalAmount } from '../../../common/amount.ts';
import { decodeStrKey } from '../../../common/strKey.ts';
import { type LedgerEngine, NO_MOVES } from '../close/index.ts';
import {
  entryKeyId,
  type LedgerKeyId,
  type LedgerTxn,
  ledgerKeyId,
  ledgerKeyOfEntry,
  ttlKeyId,
} from '../state/index.ts';
import { assetContractId } from '../transaction/events/index.ts';
import { isPersistentKey, isSorobanKey } from '../transaction/index.ts';
import { closedBy } from './closedBy.ts';
import { contractBalanceEntry, contractBalanceKey } from './contractBalance.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { holdCredit, holdNative } from './holdings.ts';
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
function leastLife(engine: LedgerEngine, key: xdr.LedgerKey): number {
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

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Closes a ledger after which an account or contract holds this amount of an asset. It creates the account for XLM or the
 * trustline for any other asset if needed. @throws RpcError, LedgerServiceError
 */
export function setBalance({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const given = new ControlParams(params, ['account', 'asset', 'amount']);
  const asset = assetOf(given.text('asset'));
  const amount = parseDecimalAmount(given.text('amount'));
  if (amount === undefined) {
    throw invalid('amount must be a decimal number with at most 7 decimal places, such as "12.5"');
  }
  const { engine } = service;
  const holder = given.text('account');
  const contract = decodeStrKey('contract', holder);
  const account = decodeStrKey('account', holder);
  if (contract !== undefined) {
    return closedBy(
      service.amendLedger((ltx) => {
        holdInContract(ltx, engine, contract, asset, amount);
        return NO_MOVES;
      }),
    );
  }
  if (account === undefined) throw invalid('account must be an address G… or C…');
  if (amount > INT64_MAX) throw invalid('amount is more than an account can hold');
  const owner = xdr.PublicKey.publicKeyTypeEd25519(account);
  return closedBy(
    service.amendLedger((ltx) => {
      if (asset.type === 'assetTypeNative') holdNative(ltx, engine.networkId, owner, amount);
      else holdCredit(ltx, engine.networkId, owner, asset, amount);
      return NO_MOVES;
    }),
  );
}

function holdInContract(
  ltx: LedgerTxn,
  engine: LedgerEngine,
  contract: Uint8Array,
  asset: xdr.Asset,
  amount: bigint,
): void {
  const { networkId, state } = engine;
  const holder = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(contract));
  const assetContract = assetContractId(networkId, asset);
  const instance = xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: xdr.ScAddress.scAddressTypeContract(assetContract),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
  const instanceId = ledgerKeyId(instance);
  if (state.archived(instanceId) !== undefined || isExpired(ltx, instanceId)) {
    throw invalid("the asset's contract is archived; restore it with a transaction");
  }
  if (state.peek(instanceId) === undefined) {
    throw invalid("the asset's contract is not deployed, so no contract can hold the asset");
  }
  const key = contractBalanceKey(assetContract, holder);
  const id = ledgerKeyId(key);
  if (state.archived(id) !== undefined || isExpired(ltx, id)) {
    throw invalid('the balance is archived; restore it with a transaction');
  }
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: ltx.header.ledgerSeq,
    data: xdr.LedgerEntryData.contractData(contractBalanceEntry(assetContract, holder, amount)),
    ext: xdr.LedgerEntryExt.v0(),
  });
  putEntry(ltx, networkId, entry);
  if (ltx.peek(ttlKeyId(id)) === undefined) {
    putTtl(ltx, id, ltx.header.ledgerSeq + leastLife(engine, key));
  }
}

/** Whether an entry is archived although it has not been moved there yet. */
function isExpired(ltx: LedgerTxn, id: LedgerKeyId): boolean {
  const ttl = ltx.peek(ttlKeyId(id));
  return ttl?.data.type === 'ttl' && ttl.data.ttl.liveUntilLedgerSeq < ltx.header.ledgerSeq;
}

function assetOf(text: string): xdr.Asset {
  if (text === 'native') return xdr.Asset.assetTypeNative();
  const [code = '', issuer = '', ...rest] = text.split(':');
  try {
    if (rest.length === 0) return new Asset(code, issuer).toXdrObject();
  } catch {
    // Reported below, for this parameter.
  }
  throw invalid('asset must be native or CODE:ISSUER');
}

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
