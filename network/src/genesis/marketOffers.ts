import { xdr } from '@stellar/stellar-sdk';
import { NATIVE, USDC } from './usdc.ts';

/** A level of the market maker's book: the amount sold, in units of 10^-7, and its price in units bought per unit sold. */
interface Level {
  readonly amount: bigint;
  readonly price: xdr.Price;
}

const UNIT = 10_000_000n;
const price = (n: number, d: number): xdr.Price => new xdr.Price({ n, d });

/** Around four lumens per dollar, with the price rising with depth; in total more than any test buys. */
const USDC_LEVELS: readonly Level[] = [
  { amount: 100_000n * UNIT, price: price(401, 100) },
  { amount: 250_000n * UNIT, price: price(405, 100) },
  { amount: 1_000_000n * UNIT, price: price(41, 10) },
  { amount: 10_000_000n * UNIT, price: price(45, 10) },
];
const XLM_LEVELS: readonly Level[] = [
  { amount: 400_000n * UNIT, price: price(2_510, 10_000) },
  { amount: 1_000_000n * UNIT, price: price(253, 1_000) },
  { amount: 4_000_000n * UNIT, price: price(26, 100) },
  { amount: 40_000_000n * UNIT, price: price(28, 100) },
];

/** The market maker's standing offers, on both sides. */
export function marketOffers(seller: xdr.PublicKey): xdr.OfferEntry[] {
  const sides = [
    ...USDC_LEVELS.map((level) => ({ ...level, selling: USDC, buying: NATIVE })),
    ...XLM_LEVELS.map((level) => ({ ...level, selling: NATIVE, buying: USDC })),
  ];
  return sides.map(
    (side, at) =>
      new xdr.OfferEntry({
        ...side,
        sellerId: seller,
        offerId: BigInt(at + 1),
        flags: 0,
        ext: xdr.OfferEntryExt.v0(),
      }),
  );
}
