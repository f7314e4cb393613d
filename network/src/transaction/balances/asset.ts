import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../../xdr/index.ts';

/** Any of the protocol's three representations of an asset. */
export type AnyAsset = xdr.Asset | xdr.TrustLineAsset | xdr.ChangeTrustAsset;

const RANK: Record<AnyAsset['type'], number> = {
  assetTypeNative: 0,
  assetTypeCreditAlphanum4: 1,
  assetTypeCreditAlphanum12: 2,
  assetTypePoolShare: 3,
};

export function isNative(asset: AnyAsset): boolean {
  return asset.type === 'assetTypeNative';
}

/** The account that issues an asset; undefined for the native asset and for pool shares. */
export function issuerOf(asset: AnyAsset): xdr.PublicKey | undefined {
  switch (asset.type) {
    case 'assetTypeCreditAlphanum4':
      return asset.alphaNum4.issuer;
    case 'assetTypeCreditAlphanum12':
      return asset.alphaNum12.issuer;
    default:
      return undefined;
  }
}

/** True if the account issues the asset. Nobody issues the native asset or pool shares. */
export function isIssuer(account: xdr.PublicKey, asset: AnyAsset): boolean {
  const issuer = issuerOf(asset);
  return issuer !== undefined && sameAccount(issuer, account);
}

/** True if both are the same asset. Pool shares are comparable only as trustline assets. */
export function sameAsset(
  a: xdr.Asset | xdr.TrustLineAsset,
  b: xdr.Asset | xdr.TrustLineAsset,
): boolean {
  return a === b || compareAssets(a, b) === 0;
}

/** Orders assets by type, code and issuer, as required for a pool's two assets. */
export function compareAssets(
  a: xdr.Asset | xdr.TrustLineAsset,
  b: xdr.Asset | xdr.TrustLineAsset,
): number {
  if (a.type === 'assetTypeCreditAlphanum4' && b.type === 'assetTypeCreditAlphanum4') {
    return compareCredit(a.alphaNum4, b.alphaNum4);
  }
  if (a.type === 'assetTypeCreditAlphanum12' && b.type === 'assetTypeCreditAlphanum12') {
    return compareCredit(a.alphaNum12, b.alphaNum12);
  }
  if (a.type === 'assetTypePoolShare' && b.type === 'assetTypePoolShare') {
    return Buffer.compare(a.liquidityPoolId.value, b.liquidityPoolId.value);
  }
  return RANK[a.type] - RANK[b.type];
}

/** Returns an asset in the form that trustlines use, also for one from a `ChangeTrust` operation. */
export function trustLineAssetOf(asset: xdr.Asset | xdr.ChangeTrustAsset): xdr.TrustLineAsset {
  switch (asset.type) {
    case 'assetTypeNative':
      return xdr.TrustLineAsset.assetTypeNative();
    case 'assetTypeCreditAlphanum4':
      return xdr.TrustLineAsset.assetTypeCreditAlphanum4(asset.alphaNum4);
    case 'assetTypeCreditAlphanum12':
      return xdr.TrustLineAsset.assetTypeCreditAlphanum12(asset.alphaNum12);
    case 'assetTypePoolShare':
      return xdr.TrustLineAsset.assetTypePoolShare(poolIdOf(asset.liquidityPool));
  }
}

/** The asset with the given code issued by an account. */
export function assetOfCode(issuer: xdr.PublicKey, code: xdr.AssetCode): xdr.Asset {
  return code.type === 'assetTypeCreditAlphanum4'
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code.assetCode4, issuer }))
    : xdr.Asset.assetTypeCreditAlphanum12(
        new xdr.AlphaNum12({ assetCode: code.assetCode12, issuer }),
      );
}

/** A pool's id: the SHA-256 of its parameters (CAP-38). */
export function poolIdOf(parameters: xdr.LiquidityPoolParameters): xdr.PoolId {
  return new xdr.PoolId(createHash('sha256').update(encodeXdr(parameters)).digest());
}

function compareCredit(
  a: xdr.AlphaNum4 | xdr.AlphaNum12,
  b: xdr.AlphaNum4 | xdr.AlphaNum12,
): number {
  return (
    Buffer.compare(a.assetCode.value, b.assetCode.value) ||
    Buffer.compare(a.issuer.ed25519.value, b.issuer.ed25519.value)
  );
}

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

/** True if both ids are of the same account. */
export function sameAccount(a: xdr.PublicKey, b: xdr.PublicKey): boolean {
  return a === b || Buffer.compare(a.ed25519.value, b.ed25519.value) === 0;
}

/** The account of an address with or without a multiplexing id (CAP-27). */
export function accountOfMuxed(address: xdr.MuxedAccount): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(
    address.type === 'keyTypeEd25519' ? address.ed25519 : address.med25519.ed25519,
  );
}

/** The address of an account without a multiplexing id. */
export function muxedOfAccount(account: xdr.PublicKey): xdr.MuxedAccount {
  return xdr.MuxedAccount.keyTypeEd25519(account.ed25519);
}
