import type { xdr } from '@stellar/stellar-sdk';
import { accountFields, accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields, canonicalAsset } from '../format/asset.ts';
import { type Claim, claimsOf, isPoolClaim, movedNothing } from '../history/claims.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { poolDelta } from '../history/poolDelta.ts';
import type { Resource } from '../http/page.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';
import { poolFields } from './poolFields.ts';

/** The effects of an operation's trades on the taker and the makers. */
export function tradeEffects(operation: HistoryOperation): Effect[] {
  return claimsOf(operation)
    .filter((claim) => !movedNothing(claim))
    .flatMap((claim) =>
      isPoolClaim(claim) ? poolTrade(operation, claim) : offerTrade(operation.source, claim),
    );
}

function offerTrade(buyer: xdr.MuxedAccount, claim: xdr.ClaimOfferAtom): Effect[] {
  const offer = { offer_id: String(claim.offerId) };
  const taken = {
    seller: accountText(claim.sellerId),
    ...offer,
    ...side('bought', claim.assetSold, claim.amountSold),
    ...side('sold', claim.assetBought, claim.amountBought),
  };
  const made = {
    ...accountFields('seller', buyer),
    ...offer,
    ...side('bought', claim.assetBought, claim.amountBought),
    ...side('sold', claim.assetSold, claim.amountSold),
  };
  return [effectOn(buyer, 'trade', taken), effectOnAccount(claim.sellerId, 'trade', made)];
}

function poolTrade(operation: HistoryOperation, claim: xdr.ClaimLiquidityAtom): Effect[] {
  const pool = poolDelta(operation.deltas, claim.liquidityPoolId)?.pool;
  if (pool === undefined) return [];
  return [
    effectOn(operation.source, 'liquidity_pool_trade', {
      liquidity_pool: poolFields(pool),
      sold: { asset: canonicalAsset(claim.assetSold), amount: amountText(claim.amountSold) },
      bought: { asset: canonicalAsset(claim.assetBought), amount: amountText(claim.amountBought) },
    }),
  ];
}

function side(name: string, asset: Claim['assetSold'], amount: bigint): Resource {
  return { [`${name}_amount`]: amountText(amount), ...assetFields(asset, `${name}_`) };
}
