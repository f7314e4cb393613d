import * as xdr from '@stellar/stellar-sdk/xdr';
import { type AccountAddress, USDC_ISSUER } from '../../protocol/index.ts';
import { addressBytes } from '../../protocol/stellar/index.ts';

const CODE = new TextEncoder().encode('USDC');

function alphaNum4(code: Uint8Array, issuer: AccountAddress): xdr.AlphaNum4 {
  return new xdr.AlphaNum4({
    assetCode: code,
    issuer: xdr.PublicKey.publicKeyTypeEd25519(addressBytes(issuer)),
  });
}

export function usdcAsset(): xdr.Asset {
  return xdr.Asset.assetTypeCreditAlphanum4(alphaNum4(CODE, USDC_ISSUER));
}

export function usdcLine(): xdr.ChangeTrustAsset {
  return xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(alphaNum4(CODE, USDC_ISSUER));
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
