import { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import { type LedgerTxn, offerKeyId } from '../../state/index.ts';
import {
  addBalance,
  availableBalance,
  type Holding,
  holdingBalance,
  INT64_MAX,
  isAssetValid,
  isHoldingAuthorized,
  LedgerFault,
  loadHolding,
  maxAmountReceive,
  newEntry,
  peekHolding,
  sameAccount,
  sameAsset,
  updateHolding,
} from '../balances/index.ts';
import {
  payReserveOfNewEntry,
  returnReserveOfEntry,
  type SponsorshipFailure,
} from '../sponsorship/index.ts';
import { convert, MAX_OFFERS_TO_CROSS, type OfferVerdict } from './convert.ts';
import { touchesFrozenKey } from './frozenOffer.ts';
import {
  adjustedOfferAmount,
  comparePrices,
  inversePrice,
  isPriceValid,
  min,
  offerLiabilities,
} from './offerArithmetic.ts';
import { acquireLiabilities, releaseLiabilities, standingOffer, withOffer } from './offerEntry.ts';
import { canBuy, canSell } from './offerHoldings.ts';

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

/** Why an offer cannot trade. */
type TradeFailure =
  | 'sellNoTrust'
  | 'sellNotAuthorized'
  | 'buyNoTrust'
  | 'buyNotAuthorized'
  | 'underfunded'
  | 'lineFull'
  | 'crossSelf'
  | 'exceededWorkLimit';

/** What an offer traded immediately, and how much of the asset sold is left for the book. */
type Trade =
  | { readonly ok: true; readonly claims: readonly xdr.ClaimAtom[]; readonly amountLeft: bigint }
  | { readonly ok: false; readonly failure: TradeFailure };

const NOTHING_TRADED = { sent: 0n, received: 0n } as const;

/** Returns why the source is not allowed to trade the two assets at all. Only reads. */
function whyNotTradable(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  { selling, buying }: OfferRequest,
): TradeFailure | undefined {
  if (selling.type !== 'assetTypeNative') {
    const holding = peekHolding(ltx, source, selling);
    if (holding === undefined) return 'sellNoTrust';
    if (holdingBalance(holding) === 0n) return 'underfunded';
    if (!isHoldingAuthorized(holding)) return 'sellNotAuthorized';
  }
  if (buying.type !== 'assetTypeNative') {
    const holding = peekHolding(ltx, source, buying);
    if (holding === undefined) return 'buyNoTrust';
    if (!isHoldingAuthorized(holding)) return 'buyNotAuthorized';
  }
  return undefined;
}

/**
 * Crosses offers for a tradable request and books the source's side. The source's own offers and more expensive ones stop it;
 * offers that touch frozen keys are removed.
 */
function tradeOffer(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  request: OfferRequest,
  passive: boolean,
  frozenKeys: FrozenKeys,
): Trade {
  const limits = tradeLimits(ltx, source, request);
  if (typeof limits === 'string') return { ok: false, failure: limits };

  const judge = (offer: xdr.OfferEntry): OfferVerdict => {
    if (isTooDear(offer, request.price, passive)) return 'stopAtPrice';
    if (sameAccount(offer.sellerId, source)) return 'stopAtOwn';
    return touchesFrozenKey(frozenKeys, offer) ? 'remove' : 'cross';
  };
  const conversion = convert(ltx, {
    send: request.selling,
    receive: request.buying,
    ...limits,
    rounding: 'offer',
    judge,
    workLimit: MAX_OFFERS_TO_CROSS,
  });
  const { end, claims } = conversion;
  if (end === 'stopAtOwn') return { ok: false, failure: 'crossSelf' };
  if (end === 'tooMuchWork') return { ok: false, failure: 'exceededWorkLimit' };

  if (conversion.received > 0n) {
    book(ltx, source, request.buying, conversion.received);
    book(ltx, source, request.selling, -conversion.sent);
  }
  if (end === 'complete') return { ok: true, claims, amountLeft: 0n };
  const left = boundedBy(request, capacity(ltx, source, request), conversion);
  const amountLeft = adjustedOfferAmount(request.price, left.maxSend, left.maxReceive);
  return { ok: true, claims, amountLeft };
}

/** How much the request can trade, or why its full amount does not fit the source's holdings. */
function tradeLimits(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  request: OfferRequest,
): TradeLimits | TradeFailure {
  const liabilities = requestLiabilities(request);
  const room = maxAmountReceive(mustPeek(ltx, source, request.buying));
  if (room < liabilities.buying) return 'lineFull';
  const funds = availableBalance(ltx.header, mustPeek(ltx, source, request.selling));
  if (funds < liabilities.selling) return 'underfunded';
  const limits = boundedBy(request, capacity(ltx, source, request), NOTHING_TRADED);
  return limits.maxReceive === 0n ? 'lineFull' : limits;
}

/** How much the source's holdings can currently send and receive. Only reads. */
function capacity(ltx: LedgerTxn, source: xdr.PublicKey, request: OfferRequest): TradeLimits {
  return {
    maxSend: canSell(ltx.header, peekHolding(ltx, source, request.selling)),
    maxReceive: canBuy(peekHolding(ltx, source, request.buying)),
  };
}

function mustPeek(ltx: LedgerTxn, source: xdr.PublicKey, asset: xdr.Asset): Holding {
  const holding = peekHolding(ltx, source, asset);
  if (holding === undefined) throw new LedgerFault('account_missing');
  return holding;
}

function book(ltx: LedgerTxn, source: xdr.PublicKey, asset: xdr.Asset, delta: bigint): void {
  const holding = loadHolding(ltx, source, asset);
  const after = holding === undefined ? undefined : addBalance(ltx.header, holding, delta);
  if (after === undefined) throw new LedgerFault('exchange_out_of_bounds');
  updateHolding(ltx, after);
}

/** A request of one of the three operations that create, change or delete an offer. */
export interface OfferRequest {
  readonly selling: xdr.Asset;
  readonly buying: xdr.Asset;
  /** The offer to change or delete; zero for a new one. */
  readonly offerId: bigint;
  /** Units of `buying` per unit of `selling`. */
  readonly price: xdr.Price;
  /** Whether a new offer does not cross offers at the same price. */
  readonly passive: boolean;
  /** Whether `amount` is of the asset sold or of the asset bought. */
  readonly bound: 'selling' | 'buying';
  /** Zero deletes the offer. */
  readonly amount: bigint;
}

/** How much more can be sold and bought. */
interface TradeLimits {
  readonly maxSend: bigint;
  readonly maxReceive: bigint;
}

/** True if the request is valid (stellar-core `doCheckValid`). */
export function isOfferRequestValid(request: OfferRequest): boolean {
  const { selling, buying, price, amount, offerId } = request;
  if (!isAssetValid(selling) || !isAssetValid(buying) || sameAsset(selling, buying)) return false;
  if (amount < 0n || !isPriceValid(price)) return false;
  return offerId > 0n || (offerId === 0n && !isDeletion(request));
}

function isDeletion(request: OfferRequest): boolean {
  return request.amount === 0n;
}

/** The amounts that the complete request would buy and sell at its own price. */
function requestLiabilities(request: OfferRequest): {
  readonly buying: bigint;
  readonly selling: bigint;
} {
  return request.bound === 'selling'
    ? offerLiabilities(request.price, request.amount)
    : offerLiabilities(request.price, INT64_MAX, request.amount);
}

/** Limits reduced to the rest of the request after part of it was traded. */
function boundedBy(
  request: OfferRequest,
  limits: TradeLimits,
  traded: { readonly sent: bigint; readonly received: bigint },
): TradeLimits {
  const { maxSend, maxReceive } = limits;
  return request.bound === 'selling'
    ? { maxSend: min(request.amount - traded.sent, maxSend), maxReceive }
    : { maxSend, maxReceive: min(request.amount - traded.received, maxReceive) };
}

/** True if a standing offer costs more than a request at this price pays. */
function isTooDear(standing: xdr.OfferEntry, price: xdr.Price, passive: boolean): boolean {
  const order = comparePrices(standing.price, inversePrice(price));
  return order > 0 || (passive && order === 0);
}
