import { Asset, xdr } from '@stellar/stellar-sdk';
import { parseDecimalAmount } from '../../../common/amount.ts';
import { decodeStrKey } from '../../../common/strKey.ts';
import { type LedgerEngine, NO_MOVES } from '../close/index.ts';
import { type LedgerKeyId, type LedgerTxn, ledgerKeyId, ttlKeyId } from '../state/index.ts';
import { assetContractId } from '../transaction/events/index.ts';
import { closedBy } from './closedBy.ts';
import { contractBalanceEntry, contractBalanceKey } from './contractBalance.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { holdCredit, holdNative } from './holdings.ts';
import { putEntry, putTtl } from './putEntry.ts';
import { leastLife } from './setEntry.ts';

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
