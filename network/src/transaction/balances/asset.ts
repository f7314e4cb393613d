import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../../xdr/index.ts';
import { sameAccount } from './accountId.ts';

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
