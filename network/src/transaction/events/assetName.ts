import { StrKey, type xdr } from '@stellar/stellar-sdk';

/**
 * An asset in the format of SEP-11, which its events use: `native` or `CODE:ISSUER`.
 * Asset codes are ASCII, padded with zero bytes.
 */
export function assetName(asset: xdr.Asset): string {
  switch (asset.type) {
    case 'assetTypeNative':
      return 'native';
    case 'assetTypeCreditAlphanum4':
      return nameOf(asset.alphaNum4.assetCode.value, asset.alphaNum4.issuer);
    case 'assetTypeCreditAlphanum12':
      return nameOf(asset.alphaNum12.assetCode.value, asset.alphaNum12.issuer);
  }
}

function nameOf(code: Uint8Array, issuer: xdr.PublicKey): string {
  const end = code.indexOf(0);
  const text = Buffer.from(end < 0 ? code : code.subarray(0, end)).toString('latin1');
  return `${text}:${StrKey.encodeEd25519PublicKey(issuer.ed25519.value)}`;
}
