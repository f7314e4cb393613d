import type { xdr } from '@stellar/stellar-sdk';
import { accountIdString, type LedgerTxn } from '../../../state/index.ts';
import { sameAsset } from '../../balances/index.ts';
import { removeOffer, standingOffer } from '../../exchange/index.ts';

/**
 * Removes every offer of a holder that buys or sells an asset
 * (stellar-core `removeOffersByAccountAndAsset`).
 */
export function removeOffersOf(ltx: LedgerTxn, holder: xdr.PublicKey, asset: xdr.Asset): void {
  for (const id of ltx.offersOf(accountIdString(holder))) {
    const seen = standingOffer(ltx.peek(id));
    if (seen === undefined) continue;
    if (!sameAsset(seen.offer.selling, asset) && !sameAsset(seen.offer.buying, asset)) continue;
    removeOffer(ltx, seen);
  }
}
