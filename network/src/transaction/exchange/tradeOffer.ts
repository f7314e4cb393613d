import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import type { LedgerTxn } from '../../state/index.ts';
import {
  addBalance,
  availableBalance,
  type Holding,
  holdingBalance,
  isHoldingAuthorized,
  LedgerFault,
  loadHolding,
  maxAmountReceive,
  peekHolding,
  sameAccount,
  updateHolding,
} from '../balances/index.ts';
import type { OfferVerdict } from './conversion.ts';
import { convert, MAX_OFFERS_TO_CROSS } from './convert.ts';
import { touchesFrozenKey } from './frozenOffer.ts';
import { adjustedOfferAmount } from './offerArithmetic.ts';
import { canBuy, canSell } from './offerHoldings.ts';
import {
  boundedBy,
  isTooDear,
  type OfferRequest,
  requestLiabilities,
  type TradeLimits,
} from './offerRequest.ts';

/** Why an offer cannot trade. */
export type TradeFailure =
  | 'sellNoTrust'
  | 'sellNotAuthorized'
  | 'buyNoTrust'
  | 'buyNotAuthorized'
  | 'underfunded'
  | 'lineFull'
  | 'crossSelf'
  | 'exceededWorkLimit';

/** What an offer traded immediately, and how much of the asset sold is left for the book. */
export type Trade =
  | { readonly ok: true; readonly claims: readonly xdr.ClaimAtom[]; readonly amountLeft: bigint }
  | { readonly ok: false; readonly failure: TradeFailure };

const NOTHING_TRADED = { sent: 0n, received: 0n } as const;

/** Returns why the source is not allowed to trade the two assets at all. Only reads. */
export function whyNotTradable(
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
export function tradeOffer(
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
