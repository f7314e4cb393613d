import { xdr } from '@stellar/stellar-sdk';
import { type LedgerTxn, offerKeyId } from '../../state/index.ts';
import { returnReserveOfEntry } from '../sponsorship/index.ts';
import {
  loadOfferHoldings,
  updateOfferHoldings,
  withOfferLiabilities,
  withoutOfferLiabilities,
} from './offerHoldings.ts';

/** An offer in the book: its entry, which includes its sponsor, and the offer itself. */
export interface StandingOffer {
  readonly entry: xdr.LedgerEntry;
  readonly offer: xdr.OfferEntry;
}

export function standingOffer(entry: xdr.LedgerEntry | undefined): StandingOffer | undefined {
  return entry?.data.type === 'offer' ? { entry, offer: entry.data.offer } : undefined;
}

/** The entry with a changed offer and the same sponsorship. */
export function withOffer(entry: xdr.LedgerEntry, offer: xdr.OfferEntry): xdr.LedgerEntry {
  return new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.offer(offer) });
}

/** Adds the liabilities of an offer to the holdings of its owner. */
export function acquireLiabilities(ltx: LedgerTxn, offer: xdr.OfferEntry): void {
  const holdings = loadOfferHoldings(ltx, offer);
  updateOfferHoldings(ltx, withOfferLiabilities(ltx.header, holdings, offer));
}

/** Removes the liabilities of an offer from the holdings of its owner. */
export function releaseLiabilities(ltx: LedgerTxn, offer: xdr.OfferEntry): void {
  const holdings = loadOfferHoldings(ltx, offer);
  updateOfferHoldings(ltx, withoutOfferLiabilities(ltx.header, holdings, offer));
}

/** Erases an offer whose liabilities are released, and returns its reserve. */
export function eraseOffer(ltx: LedgerTxn, { entry, offer }: StandingOffer): void {
  returnReserveOfEntry(ltx, entry, offer.sellerId);
  ltx.erase(offerKeyId(offer.sellerId, offer.offerId));
}

/**
 * Removes an offer without trading, including its liabilities and reserve. Used for frozen offers that an exchange meets
 * (CAP-77), and for the offers of a holder whose authorization is revoked.
 */
export function removeOffer(ltx: LedgerTxn, standing: StandingOffer): void {
  releaseLiabilities(ltx, standing.offer);
  eraseOffer(ltx, standing);
}
