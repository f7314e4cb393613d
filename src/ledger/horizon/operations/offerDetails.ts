import type { xdr } from '@stellar/stellar-sdk';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import { priceText } from '../format/price.ts';
import type { Resource } from '../http/page.ts';

export function sellOfferDetails(op: xdr.ManageSellOfferOp): Resource {
  return { ...offerDetails(op, op.amount), offer_id: String(op.offerId) };
}

export function buyOfferDetails(op: xdr.ManageBuyOfferOp): Resource {
  return { ...offerDetails(op, op.buyAmount), offer_id: String(op.offerId) };
}

export function passiveOfferDetails(op: xdr.CreatePassiveSellOfferOp): Resource {
  return offerDetails(op, op.amount);
}

function offerDetails(
  op: { readonly price: xdr.Price; readonly buying: xdr.Asset; readonly selling: xdr.Asset },
  amount: bigint,
): Resource {
  return {
    amount: amountText(amount),
    ...priceFields('price', op.price),
    ...assetFields(op.buying, 'buying_'),
    ...assetFields(op.selling, 'selling_'),
  };
}

/** A price as a decimal, and as the fraction that it is under `<name>_r`. */
export function priceFields(name: string, { n, d }: xdr.Price): Resource {
  return { [name]: priceText(n, d), [`${name}_r`]: { n, d } };
}
