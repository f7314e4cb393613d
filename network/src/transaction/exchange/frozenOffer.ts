import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import { accountKeyId } from '../../state/index.ts';
import { assetLineKeyId } from '../balances/index.ts';

/**
 * True if trading an offer would touch a frozen key: one of its owner's two trustlines, or the account itself if one of the
 * assets is native (CAP-77).
 */
export function touchesFrozenKey(frozenKeys: FrozenKeys, offer: xdr.OfferEntry): boolean {
  if (!frozenKeys.any) return false;
  return (
    isHoldingFrozen(frozenKeys, offer.sellerId, offer.selling) ||
    isHoldingFrozen(frozenKeys, offer.sellerId, offer.buying)
  );
}

/** True if the owner's trustline to an asset is frozen. The native asset does not have one. */
export function isTrustlineFrozen(
  frozenKeys: FrozenKeys,
  owner: xdr.PublicKey,
  asset: xdr.Asset,
): boolean {
  return (
    frozenKeys.any &&
    asset.type !== 'assetTypeNative' &&
    frozenKeys.has(assetLineKeyId(owner, asset))
  );
}

function isHoldingFrozen(frozenKeys: FrozenKeys, owner: xdr.PublicKey, asset: xdr.Asset): boolean {
  return asset.type === 'assetTypeNative'
    ? frozenKeys.has(accountKeyId(owner))
    : isTrustlineFrozen(frozenKeys, owner, asset);
}
