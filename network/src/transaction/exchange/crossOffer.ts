import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { addBalance, type Holding, LedgerFault, peekAccount } from '../balances/index.ts';
import { min } from './division.ts';
import { adjustedOfferAmount, type ExchangeAmounts, exchange } from './offerArithmetic.ts';
import { eraseOffer, type StandingOffer, withOffer } from './offerEntry.ts';
import {
  canBuy,
  canSell,
  loadOfferHoldings,
  updateOfferHoldings,
  withOfferLiabilities,
  withoutOfferLiabilities,
} from './offerHoldings.ts';
import type { Rounding } from './rounding.ts';

/** The amounts moved by crossing one offer, and its claim in the operation's result. */
export interface Crossing extends ExchangeAmounts {
  /** Whether the offer left the book, because it was taken completely or the rest cannot trade. */
  readonly taken: boolean;
  readonly claim: xdr.ClaimAtom;
}

/**
 * Crosses the best offer of a market on behalf of a taker, at the offer's own price, and updates
 * the maker's holdings, liabilities and offer. The caller has to book the taker's side. Throws
 * if the ledger contradicts itself (stellar-core `OfferExchange.cpp`, `crossOfferV10`).
 */
export function crossOffer(
  ltx: LedgerTxn,
  standing: StandingOffer,
  taker: { readonly maxSend: bigint; readonly maxReceive: bigint },
  rounding: Rounding,
): Crossing {
  const { header } = ltx;
  const { entry, offer } = standing;
  if (peekAccount(ltx, offer.sellerId) === undefined) throw new LedgerFault('account_missing');
  const { selling, buying } = withoutOfferLiabilities(header, loadOfferHoldings(ltx, offer), offer);

  const makerReceive = canBuy(buying);
  const makerSend = adjustedOfferAmount(
    offer.price,
    min(offer.amount, canSell(header, selling)),
    makerReceive,
  );
  const amounts = exchange(
    offer.price,
    { makerSend, makerReceive, takerSend: taker.maxSend, takerReceive: taker.maxReceive },
    rounding,
  );

  const { received, sent, makerStays } = amounts;
  const after = {
    buying: moved(header, buying, sent),
    selling: moved(header, selling, -received),
  };
  const amount = makerStays
    ? adjustedOfferAmount(
        offer.price,
        min(makerSend - received, canSell(header, after.selling)),
        canBuy(after.buying),
      )
    : 0n;
  const taken = amount === 0n;
  if (taken) {
    updateOfferHoldings(ltx, after);
    eraseOffer(ltx, standing);
  } else {
    const left = new xdr.OfferEntry({ ...offer, amount });
    updateOfferHoldings(ltx, withOfferLiabilities(header, after, left));
    ltx.update(withOffer(entry, left));
  }
  return { ...amounts, taken, claim: claimOf(offer, amounts) };
}

function moved(header: xdr.LedgerHeader, holding: Holding, delta: bigint): Holding {
  const after = addBalance(header, holding, delta);
  if (after === undefined) throw new LedgerFault('exchange_out_of_bounds');
  return after;
}

function claimOf(offer: xdr.OfferEntry, { received, sent }: ExchangeAmounts): xdr.ClaimAtom {
  return xdr.ClaimAtom.claimAtomTypeOrderBook(
    new xdr.ClaimOfferAtom({
      sellerId: offer.sellerId,
      offerId: offer.offerId,
      assetSold: offer.selling,
      amountSold: received,
      assetBought: offer.buying,
      amountBought: sent,
    }),
  );
}
