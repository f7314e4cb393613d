import { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import { type LedgerTxn, offerKeyId } from '../../state/index.ts';
import { newEntry } from '../balances/index.ts';
import {
  payReserveOfNewEntry,
  returnReserveOfEntry,
  type SponsorshipFailure,
} from '../sponsorship/index.ts';
import { acquireLiabilities, releaseLiabilities, standingOffer, withOffer } from './offerEntry.ts';
import { isDeletion, type OfferRequest } from './offerRequest.ts';
import { type TradeFailure, tradeOffer, whyNotTradable } from './tradeOffer.ts';

/** Why a request for an offer fails while it is applied. */
export type OfferFailure = TradeFailure | SponsorshipFailure | 'notFound';

/** The outcome of a request for an offer. */
export type OfferOutcome =
  | { readonly ok: true; readonly result: xdr.ManageOfferSuccessResult }
  | { readonly ok: false; readonly failure: OfferFailure };

/** The offer of a request: the one that it changes, already removed from the book, or a new one. */
interface OfferSlot {
  /** The entry, whose reserve is paid, without the offer's terms. */
  readonly entry: xdr.LedgerEntry;
  readonly flags: number;
  readonly isNew: boolean;
}

const PASSIVE_FLAG = 0x1;
const NO_EXTENSION = xdr.OfferEntryExt.v0();

/**
 * Creates, changes or deletes an offer: crosses other offers, books the trade, and leaves the rest in the book. The reserve is
 * paid first, so that lumens needed for it are not sold (CAP-1, CAP-4, CAP-6, CAP-77; stellar-core
 * `ManageOfferOpFrameBase.cpp`).
 */
export function manageOffer(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  request: OfferRequest,
  frozenKeys: FrozenKeys,
): OfferOutcome {
  const deletes = isDeletion(request);
  if (!deletes) {
    const failure = whyNotTradable(ltx, source, request);
    if (failure !== undefined) return { ok: false, failure };
  }
  const slot =
    request.offerId === 0n ? newSlot(ltx, source, request) : oldSlot(ltx, source, request);
  if ('failure' in slot) return { ok: false, failure: slot.failure };

  const passive = (slot.flags & PASSIVE_FLAG) !== 0;
  const trade = deletes
    ? ({ ok: true, claims: [], amountLeft: 0n } as const)
    : tradeOffer(ltx, source, request, passive, frozenKeys);
  if (!trade.ok) return trade;
  const offer = settle(ltx, source, request, slot, trade.amountLeft);
  return {
    ok: true,
    result: new xdr.ManageOfferSuccessResult({ offersClaimed: [...trade.claims], offer }),
  };
}

/** Removes the offer to be changed from the book; its reserve remains paid. */
function oldSlot(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  request: OfferRequest,
): OfferSlot | { readonly failure: OfferFailure } {
  const id = offerKeyId(source, request.offerId);
  const standing = standingOffer(ltx.load(id));
  if (standing === undefined) return { failure: 'notFound' };
  releaseLiabilities(ltx, standing.offer);
  ltx.erase(id);
  return { entry: standing.entry, flags: standing.offer.flags, isNew: false };
}

function newSlot(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  request: OfferRequest,
): OfferSlot | { readonly failure: OfferFailure } {
  const flags = request.passive ? PASSIVE_FLAG : 0;
  const empty = newEntry(xdr.LedgerEntryData.offer(offerEntry(source, request, flags, 0n, 0n)));
  const paid = payReserveOfNewEntry(ltx, empty.data, source);
  return paid.ok ? { entry: paid.entry, flags, isNew: true } : { failure: paid.failure };
}

/** Adds the rest of the offer to the book, or returns its reserve. */
function settle(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  request: OfferRequest,
  { entry, flags, isNew }: OfferSlot,
  amount: bigint,
): xdr.ManageOfferSuccessResultOffer {
  if (amount === 0n) {
    returnReserveOfEntry(ltx, entry, source);
    return xdr.ManageOfferSuccessResultOffer.manageOfferDeleted();
  }
  const offerId = isNew ? nextId(ltx) : request.offerId;
  const offer = offerEntry(source, request, flags, offerId, amount);
  ltx.create(withOffer(entry, offer));
  acquireLiabilities(ltx, offer);
  return isNew
    ? xdr.ManageOfferSuccessResultOffer.manageOfferCreated(offer)
    : xdr.ManageOfferSuccessResultOffer.manageOfferUpdated(offer);
}

function offerEntry(
  sellerId: xdr.PublicKey,
  { selling, buying, price }: OfferRequest,
  flags: number,
  offerId: bigint,
  amount: bigint,
): xdr.OfferEntry {
  return new xdr.OfferEntry({
    sellerId,
    offerId,
    selling,
    buying,
    amount,
    price,
    flags,
    ext: NO_EXTENSION,
  });
}

/** Takes the next offer id from the ledger header's id pool. */
function nextId(ltx: LedgerTxn): bigint {
  const idPool = ltx.header.idPool + 1n;
  ltx.header = new xdr.LedgerHeader({ ...ltx.header, idPool });
  return idPool;
}
