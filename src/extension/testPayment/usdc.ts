import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../../protocol/index.ts';
import { addressBytes } from '../../protocol/stellar/index.ts';
import { USDC_ISSUER } from '../chain/index.ts';

const ISSUER = USDC_ISSUER as AccountAddress;
/** Contract of testnet's USDC; the embedded network has the same issuer, and so the same contract. */
export const USDC_CONTRACT = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';

const CODE = new TextEncoder().encode('USDC');

function alphaNum4(code: Uint8Array, issuer: AccountAddress): xdr.AlphaNum4 {
  return new xdr.AlphaNum4({
    assetCode: code,
    issuer: xdr.PublicKey.publicKeyTypeEd25519(addressBytes(issuer)),
  });
}

export function usdcAsset(): xdr.Asset {
  return xdr.Asset.assetTypeCreditAlphanum4(alphaNum4(CODE, ISSUER));
}

export function usdcLine(): xdr.ChangeTrustAsset {
  return xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(alphaNum4(CODE, ISSUER));
}

/** The classic asset of a name and issuer, as Horizon writes them in a path. */
export function assetOf(code: string, issuer: AccountAddress): xdr.Asset {
  const bytes = new Uint8Array(code.length <= 4 ? 4 : 12);
  bytes.set(new TextEncoder().encode(code).subarray(0, bytes.length));
  if (code.length <= 4) {
    return xdr.Asset.assetTypeCreditAlphanum4(alphaNum4(bytes, issuer));
  }
  return xdr.Asset.assetTypeCreditAlphanum12(
    new xdr.AlphaNum12({
      assetCode: bytes,
      issuer: xdr.PublicKey.publicKeyTypeEd25519(addressBytes(issuer)),
    }),
  );
}
