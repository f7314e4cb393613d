import type { xdr } from '@stellar/stellar-sdk';
import { accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Links } from '../http/horizonRequest.ts';
import { priceFields } from '../operations/offerDetails.ts';
import { sponsorText } from './balance.ts';

/** An offer in the form of `/offers/{id}`. */
export type OfferResource = ReturnType<typeof offerRecord>['resource'];

/** An offer in the order book. */
export function offerRecord(
  view: HorizonView,
  links: Links,
  entry: xdr.LedgerEntry,
  offer: xdr.OfferEntry,
) {
  const id = String(offer.offerId);
  const seller = accountText(offer.sellerId);
  return {
    token: id,
    resource: {
      _links: { self: links.to(`/offers/${id}`), offer_maker: links.to(`/accounts/${seller}`) },
      id,
      paging_token: id,
      seller,
      selling: assetFields(offer.selling),
      buying: assetFields(offer.buying),
      amount: amountText(offer.amount),
      ...priceFields('price', offer.price),
      last_modified_ledger: entry.lastModifiedLedgerSeq,
      last_modified_time: view.closeTimeText(entry.lastModifiedLedgerSeq),
      sponsor: sponsorText(entry),
    },
  };
}
