import type { xdr } from '@stellar/stellar-sdk';
import { type AnyAsset, compareAssets } from './asset.ts';

/** The only allowed fee of a liquidity pool, in hundredths of a percent (CAP-38). */
const POOL_FEE = 30;

/**
 * True if an asset is well formed: a code of 1–4 or 5–12 letters and digits, padded with zeros
 * at its end; for a new pool share, two valid assets in order and the only allowed fee
 * (stellar-core `util/types.cpp`, `isAssetValid`).
 */
export function isAssetValid(asset: AnyAsset): boolean {
  switch (asset.type) {
    case 'assetTypeNative':
      return true;
    case 'assetTypeCreditAlphanum4':
      return codeLength(asset.alphaNum4.assetCode.value) >= 1;
    case 'assetTypeCreditAlphanum12':
      return codeLength(asset.alphaNum12.assetCode.value) > 4;
    case 'assetTypePoolShare':
      return 'liquidityPool' in asset
        ? arePoolParametersValid(asset.liquidityPool.constantProduct)
        : true;
  }
}

function arePoolParametersValid(params: xdr.LiquidityPoolConstantProductParameters): boolean {
  return (
    isAssetValid(params.assetA) &&
    isAssetValid(params.assetB) &&
    compareAssets(params.assetA, params.assetB) < 0 &&
    params.fee === POOL_FEE
  );
}

/** The number of characters before the padding, or -1 if the code is invalid. */
function codeLength(code: Uint8Array): number {
  let length = 0;
  for (const [position, byte] of code.entries()) {
    if (byte === 0) continue;
    if (length !== position || !isAlphaNumeric(byte)) return -1;
    length += 1;
  }
  return length;
}

function isAlphaNumeric(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a)
  );
}
