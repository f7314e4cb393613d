import type { xdr } from '@stellar/stellar-sdk';

/**
 * Hand-written XDR, one byte per character (latin1), for the parts of ledger keys. Crossing an offer needs a dozen keys; the
 * encoder would take most of the time.
 */

/** Bytes as the characters of a string. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The XDR of an account id. */
export function accountBytes(account: xdr.PublicKey): string {
  return `\0\0\0\0${latin1(account.ed25519.value)}`;
}

/** The XDR of an asset, which is the same for assets and for trustline assets. */
export function assetBytes(asset: xdr.Asset | xdr.TrustLineAsset): string {
  switch (asset.type) {
    case 'assetTypeNative':
      return '\0\0\0\0';
    case 'assetTypeCreditAlphanum4': {
      const { assetCode, issuer } = asset.alphaNum4;
      return `\0\0\0\x01${latin1(assetCode.value)}${accountBytes(issuer)}`;
    }
    case 'assetTypeCreditAlphanum12': {
      const { assetCode, issuer } = asset.alphaNum12;
      return `\0\0\0\x02${latin1(assetCode.value)}${accountBytes(issuer)}`;
    }
    case 'assetTypePoolShare':
      return `\0\0\0\x03${latin1(asset.liquidityPoolId.value)}`;
  }
}

/** The XDR of a signed 64-bit number. */
export function int64Bytes(value: bigint): string {
  const unsigned = BigInt.asUintN(64, value);
  return int32Bytes(Number(unsigned >> 32n)) + int32Bytes(Number(unsigned & 0xffff_ffffn));
}

function int32Bytes(value: number): string {
  return String.fromCharCode(
    value >>> 24,
    (value >>> 16) & 0xff,
    (value >>> 8) & 0xff,
    value & 0xff,
  );
}
