import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey, encodeStrKey } from '../../../common/strKey.ts';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';

const ISSUER_KEY = decodeStrKey('account', USDC_ISSUER);
if (ISSUER_KEY === undefined) throw new TypeError('the issuer of USDC is not an account');

export const USDC_ISSUER_ID = xdr.PublicKey.publicKeyTypeEd25519(ISSUER_KEY);

export const USDC = xdr.Asset.assetTypeCreditAlphanum4(
  new xdr.AlphaNum4({ assetCode: Buffer.from('USDC'), issuer: USDC_ISSUER_ID }),
);

export const NATIVE = xdr.Asset.assetTypeNative();

/** A contract's id as text (`C…`). */
export function contractAddress(id: xdr.ContractId): string {
  return encodeStrKey('contract', id.value);
}
