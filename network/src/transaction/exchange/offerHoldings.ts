import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  addBuyingLiabilities,
  addSellingLiabilities,
  availableBalance,
  type Holding,
  LedgerFault,
  loadHolding,
  maxAmountReceive,
  mayMaintainLiabilities,
  updateHolding,
} from '../balances/index.ts';
import { max, offerLiabilities } from './offerArithmetic.ts';

/** The holdings of the two assets that an offer trades. */
export interface OfferHoldings {
  readonly selling: Holding;
  readonly buying: Holding;
}

/** The holdings that an offer trades, recorded as touched. Throws if one is missing. */
export function loadOfferHoldings(ltx: LedgerTxn, offer: xdr.OfferEntry): OfferHoldings {
  const buying = loadHolding(ltx, offer.sellerId, offer.buying);
  const selling = loadHolding(ltx, offer.sellerId, offer.selling);
  if (buying === undefined || selling === undefined) {
    const missing = buying === undefined ? offer.buying : offer.selling;
    const isNative = missing.type === 'assetTypeNative';
    throw new LedgerFault(isNative ? 'account_missing' : 'trustline_missing');
  }
  return { selling, buying };
}

/** Stores both holdings. */
export function updateOfferHoldings(ltx: LedgerTxn, { selling, buying }: OfferHoldings): void {
  updateHolding(ltx, buying);
  updateHolding(ltx, selling);
}

/** The holdings with the liabilities of an offer added. Throws if they do not fit. */
export function withOfferLiabilities(
  header: xdr.LedgerHeader,
  holdings: OfferHoldings,
  offer: xdr.OfferEntry,
): OfferHoldings {
  const { buying, selling } = offerLiabilities(offer.price, offer.amount);
  return addLiabilities(header, holdings, buying, selling);
}

/**
 * The holdings without the liabilities of an offer. Throws if they did not have them, or if the owner's balance has fallen
 * below a raised reserve.
 */
export function withoutOfferLiabilities(
  header: xdr.LedgerHeader,
  holdings: OfferHoldings,
  offer: xdr.OfferEntry,
): OfferHoldings {
  const { buying, selling } = offerLiabilities(offer.price, offer.amount);
  return addLiabilities(header, holdings, -buying, -selling);
}

/** How much of an asset its holder can sell: nothing without a trustline or authorization. */
export function canSell(header: xdr.LedgerHeader, holding: Holding | undefined): bigint {
  if (holding === undefined || !mayMaintainLiabilities(holding)) return 0n;
  return max(availableBalance(header, holding), 0n);
}

/** How much of an asset its holder can buy: nothing without a trustline. */
export function canBuy(holding: Holding | undefined): bigint {
  return holding === undefined ? 0n : max(maxAmountReceive(holding), 0n);
}

function addLiabilities(
  header: xdr.LedgerHeader,
  holdings: OfferHoldings,
  buyingDelta: bigint,
  sellingDelta: bigint,
): OfferHoldings {
  const buying = addBuyingLiabilities(holdings.buying, buyingDelta);
  const selling = addSellingLiabilities(header, holdings.selling, sellingDelta);
  if (buying === undefined || selling === undefined) throw new LedgerFault('offer_liabilities');
  return { buying, selling };
}
