import type { xdr } from '@stellar/stellar-sdk';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import { priceText } from '../format/price.ts';

export function sellOfferDetails(op: xdr.ManageSellOfferOp) {
  return { ...offerDetails(op, op.amount), offer_id: String(op.offerId) };
}

export function buyOfferDetails(op: xdr.ManageBuyOfferOp) {
  return { ...offerDetails(op, op.buyAmount), offer_id: String(op.offerId) };
}

export function passiveOfferDetails(op: xdr.CreatePassiveSellOfferOp) {
  return offerDetails(op, op.amount);
}

function offerDetails(
  op: { readonly price: xdr.Price; readonly buying: xdr.Asset; readonly selling: xdr.Asset },
  amount: bigint,
) {
  return {
    amount: amountText(amount),
    ...priceFields('price', op.price),
    ...assetFields(op.buying, 'buying_'),
    ...assetFields(op.selling, 'selling_'),
  };
}

/** A price as a decimal, and as a fraction in `<name>_r`. */
export type PriceFields<Name extends string> = { readonly [name in Name]: string } & {
  readonly [name in `${Name}_r`]: { readonly n: number; readonly d: number };
};

/** Writes a price as separate fields. */
export function priceFields<Name extends string>(
  name: Name,
  { n, d }: xdr.Price,
): PriceFields<Name> {
  const fields: object = { [name]: priceText(n, d), [`${name}_r`]: { n, d } };
  return fields as PriceFields<Name>;
}
