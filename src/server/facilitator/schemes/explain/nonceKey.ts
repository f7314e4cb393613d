import * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from '../../../../protocol/index.ts';
import { toScAddress } from '../../../../protocol/stellar/index.ts';

/** The ledger's record that an address used a nonce (CAP-46-11). */
export function nonceKey(address: StellarAddress, nonce: bigint): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(address),
      key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })),
      durability: xdr.ContractDataDurability.temporary,
    }),
  );
}
