import { xdr } from '@stellar/stellar-sdk';
import { hashXdr } from '../../xdr/index.ts';

/**
 * The id of the Stellar Asset Contract of an asset: SHA-256 of the `HashIDPreimage` with the network and the asset (CAP-46-06;
 * stellar-core `getAssetContractID`). It is known even if the contract is not deployed.
 */
export function assetContractId(networkId: Uint8Array, asset: xdr.Asset): xdr.ContractId {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId,
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset),
    }),
  );
  return new xdr.ContractId(hashXdr(preimage));
}
