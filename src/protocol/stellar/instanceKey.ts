import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../common/address.ts';
import { toScAddress } from '../../../common/scAddress.ts';

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

/**
 * Whether the data of a contract's instance (base64 XDR; `undefined` if it has none) are those of a Stellar asset, whose payments
 * always emit a known event.
 */
export function isStellarAsset(data: string | undefined): boolean {
  if (data === undefined) return false;
  const entry = xdr.LedgerEntryData.fromXdr(data, 'base64');
  if (entry.type !== 'contractData') return false;
  const { val } = entry.contractData;
  return (
    val.type === 'scvContractInstance' &&
    val.instance.executable.type === 'contractExecutableStellarAsset'
  );
}
