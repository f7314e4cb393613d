import { xdr } from '@stellar/stellar-sdk';
import { type LedgerTxn, offerKeyId } from '../../state/index.ts';
import { returnReserveOfEntry } from '../sponsorship/index.ts';
import {
  loadOfferHoldings,
  updateOfferHoldings,
  withOfferLiabilities,
  withoutOfferLiabilities,
} from './offerHoldings.ts';

/** An offer in the book: its entry, which knows its sponsor, and the offer itself. */
export interface StandingOffer {
  readonly entry: xdr.LedgerEntry;
  readonly offer: xdr.OfferEntry;
}

export function standingOffer(entry: xdr.LedgerEntry | undefined): StandingOffer | undefined {
  return entry?.data.type === 'offer' ? { entry, offer: entry.data.offer } : undefined;
}

/** The entry with another state of its offer; its sponsorship does not change. */
export function withOffer(entry: xdr.LedgerEntry, offer: xdr.OfferEntry): xdr.LedgerEntry {
  return new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.offer(offer) });
}

/** Takes on the liabilities of an offer, on the holdings of its owner. */
export function acquireLiabilities(ltx: LedgerTxn, offer: xdr.OfferEntry): void {
  const holdings = loadOfferHoldings(ltx, offer);
  updateOfferHoldings(ltx, withOfferLiabilities(ltx.header, holdings, offer));
}

/** Releases the liabilities of an offer, on the holdings of its owner. */
export function releaseLiabilities(ltx: LedgerTxn, offer: xdr.OfferEntry): void {
  const holdings = loadOfferHoldings(ltx, offer);
  updateOfferHoldings(ltx, withoutOfferLiabilities(ltx.header, holdings, offer));
}

/** Erases an offer whose liabilities are released, and gives its reserve back. */
export function eraseOffer(ltx: LedgerTxn, { entry, offer }: StandingOffer): void {
  returnReserveOfEntry(ltx, entry, offer.sellerId);
  ltx.erase(offerKeyId(offer.sellerId, offer.offerId));
}

/**
 * Takes an offer out of the book without trading: liabilities, reserve and entry. What becomes of
 * frozen offers that an exchange meets (CAP-77) and of the offers of a holder whose authorization
 * is revoked.
 */
export function removeOffer(ltx: LedgerTxn, standing: StandingOffer): void {
  releaseLiabilities(ltx, standing.offer);
  eraseOffer(ltx, standing);
}
