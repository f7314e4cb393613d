import { xdr } from '@stellar/stellar-sdk';
import { type LedgerState, ledgerKeyId, storedEntry } from '../state/index.ts';

/** The instance of a contract, and its TTL. */
export interface FoundInstance {
  readonly instance: xdr.ScContractInstance;
  /** The last ledger in which it is live; 0 once it is archived. */
  readonly liveUntil: number;
}

/** The code of a contract, and its TTL. */
export interface FoundCode {
  readonly code: Uint8Array;
  /** The last ledger in which it is live; 0 once it is archived. */
  readonly liveUntil: number;
}

/** @param id the 32 bytes of a contract's id */
export function findInstance(state: LedgerState, id: Uint8Array): FoundInstance | undefined {
  const key = xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(id)),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
  const found = storedEntry(state, ledgerKeyId(key));
  if (found?.entry.data.type !== 'contractData') return undefined;
  const { val } = found.entry.data.contractData;
  return val.type === 'scvContractInstance'
    ? { instance: val.instance, liveUntil: found.liveUntil ?? 0 }
    : undefined;
}

/** @param hash SHA-256 of the code */
export function findCode(state: LedgerState, hash: Uint8Array): FoundCode | undefined {
  const key = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }));
  const found = storedEntry(state, ledgerKeyId(key));
  if (found?.entry.data.type !== 'contractCode') return undefined;
  return { code: found.entry.data.contractCode.code, liveUntil: found.liveUntil ?? 0 };
}
