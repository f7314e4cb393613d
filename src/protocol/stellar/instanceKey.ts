import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../address.ts';
import { toScAddress } from './scAddress.ts';

/** Returns the ledger key of a contract's instance, which exists if and only if the contract does. */
export function instanceKey(contract: ContractAddress): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(contract),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
}
