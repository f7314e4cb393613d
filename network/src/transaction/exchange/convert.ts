import { xdr } from '@stellar/stellar-sdk';
import {
  type LedgerTxn,
  type LedgerView,
  liquidityPoolKeyId,
  type OfferPlace,
} from '../../state/index.ts';
import {
  addBalance,
  compareAssets,
  type Holding,
  LedgerFault,
  peekAccount,
  poolIdOf,
  sameAsset,
  updatePool,
  withPoolState,
} from '../balances/index.ts';
import {
  adjustedOfferAmount,
  type ExchangeAmounts,
  exchange,
  min,
  type Rounding,
} from './offerArithmetic.ts';
import {
  eraseOffer,
  removeOffer,
  type StandingOffer,
  standingOffer,
  withOffer,
} from './offerEntry.ts';
import {
  canBuy,
  canSell,
  loadOfferHoldings,
  updateOfferHoldings,
  withOfferLiabilities,
  withoutOfferLiabilities,
} from './offerHoldings.ts';
import { POOL_FEE_BPS, poolAsksFor, poolPaysFor } from './poolArithmetic.ts';

/** Maximum number of offers and pools that one operation can cross. */
export const MAX_OFFERS_TO_CROSS = 1000;

/**
 * Converts one asset into another with the order book or, in a path payment, the liquidity pool, whichever gives the better
 * price, or the pool if the prices are equal. The unused one has no effect, except that offers crossed in vain count as work
 * (CAP-38; stellar-core `OfferExchange.cpp`, `convertWithOffersAndPools`).
 */
export function convert(ltx: LedgerTxn, request: ConversionRequest): Conversion {
  const quote = quotePool(ltx, request);
  if (quote === undefined) return convertWithOffers(ltx, request);

  const attempt = ltx.child();
  const book = convertWithOffers(attempt, request);
  if (isBookBetter(book, quote)) {
    attempt.commit();
    return book;
  }
  if (book.workLeft <= 0) return { ...book, end: 'tooMuchWork' };
  return {
    end: 'complete',
    sent: quote.sent,
    received: quote.received,
    claims: [exchangeWithPool(ltx, request, quote)],
    workLeft: book.workLeft - 1,
  };
}

/** Compares received per sent as cross products, to avoid rounding. */
function isBookBetter(book: Conversion, pool: PoolQuote): boolean {
  return book.end === 'complete' && pool.sent * book.received > pool.received * book.sent;
}

/**
 * Converts by crossing offers, best first, until the request is met or the market, the judge or
 * the work limit ends it. Touches only offers that it crosses or removes
 * (stellar-core `OfferExchange.cpp`, `convertWithOffers`).
 */
function convertWithOffers(ltx: LedgerTxn, request: ConversionRequest): Conversion {
  const { send, receive, rounding, judge, workLimit } = request;
  const claims: xdr.ClaimAtom[] = [];
  let { maxSend, maxReceive } = request;
  const ended = (end: ConversionEnd): Conversion => ({
    end,
    sent: request.maxSend - maxSend,
    received: request.maxReceive - maxReceive,
    claims,
    workLeft: workLimit - claims.length,
  });

  if (maxSend <= 0n || maxReceive <= 0n) return ended('complete');
  if (workLimit === 0) return ended('tooMuchWork');
  let last: OfferPlace | undefined;
  for (;;) {
    // Every offer before `last` is removed, so searching after it skips them.
    const standing = standingOffer(ltx.peekBestOffer(receive, send, last));
    if (standing === undefined) return ended('partial');
    last = standing.offer;
    const verdict = judge(standing.offer);
    if (verdict === 'remove') {
      removeOffer(ltx, standing);
      continue;
    }
    if (verdict !== 'cross') return ended(verdict);
    if (claims.length >= workLimit) return ended('tooMuchWork');

    const crossing = crossOffer(ltx, standing, { maxSend, maxReceive }, rounding);
    claims.push(crossing.claim);
    maxSend -= crossing.sent;
    maxReceive -= crossing.received;
    if (crossing.makerStays || maxSend <= 0n || maxReceive <= 0n) return ended('complete');
    if (!crossing.taken) return ended('partial');
  }
}

/** The amounts moved by crossing one offer, and its claim in the operation's result. */
interface Crossing extends ExchangeAmounts {
  /** Whether the offer left the book, because it was taken completely or the rest cannot trade. */
  readonly taken: boolean;
  readonly claim: xdr.ClaimAtom;
}

/**
 * Crosses the best offer of a market on behalf of a taker, at the offer's own price, and updates
 * the maker's holdings, liabilities and offer. The caller has to book the taker's side. Throws
 * if the ledger contradicts itself (stellar-core `OfferExchange.cpp`, `crossOfferV10`).
 */
function crossOffer(
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

/**
 * What an exchange does with the next offer: cross it, remove it because it touches a frozen key (CAP-77), or stop there.
 */
export type OfferVerdict = 'cross' | 'remove' | 'stopAtPrice' | 'stopAtOwn';

/** A request to convert one asset into another. */
interface ConversionRequest {
  readonly send: xdr.Asset;
  readonly maxSend: bigint;
  readonly receive: xdr.Asset;
  readonly maxReceive: bigint;
  readonly rounding: Rounding;
  /** Called for each offer in its turn, best first. */
  readonly judge: (offer: xdr.OfferEntry) => OfferVerdict;
  /** How many more offers and pools can be crossed. */
  readonly workLimit: number;
}

/**
 * Why a conversion ended: everything requested is converted (or nothing was requested), the market has no more, an offer
 * stopped it, or it needs more work than allowed.
 */
type ConversionEnd = 'complete' | 'partial' | 'stopAtPrice' | 'stopAtOwn' | 'tooMuchWork';

/** The result of a conversion. */
interface Conversion {
  readonly end: ConversionEnd;
  readonly sent: bigint;
  readonly received: bigint;
  readonly claims: readonly xdr.ClaimAtom[];
  /** The rest of the request's work limit. */
  readonly workLeft: number;
}

/** The amounts that a pool would move for a request. */
interface PoolQuote {
  readonly pool: xdr.LiquidityPoolEntry;
  readonly sent: bigint;
  readonly received: bigint;
}

/** The id of the only pool that trades two assets, given in any order. */
export function poolIdOfAssets(x: xdr.Asset, y: xdr.Asset): xdr.PoolId {
  const [assetA, assetB] = compareAssets(x, y) <= 0 ? [x, y] : [y, x];
  return poolIdOf(
    xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
      new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee: POOL_FEE_BPS }),
    ),
  );
}

/** A flag of the ledger header that disables a pool function. */
type PoolSwitch = 'trading' | 'deposit' | 'withdrawal';

const SWITCHES: Record<PoolSwitch, number> = { trading: 0x1, deposit: 0x2, withdrawal: 0x4 };

/** True if the network has disabled trading with, deposits into or withdrawals from pools. */
export function isPoolSwitchedOff(header: xdr.LedgerHeader, what: PoolSwitch): boolean {
  return header.ext.type === 'v1' && (header.ext.v1.flags & SWITCHES[what]) !== 0;
}

/**
 * The amounts that the pool of two assets would move for a path payment, or undefined if there is no pool or it cannot serve
 * the request alone. Only reads (stellar-core `OfferExchange.cpp`, `exchangeWithPool`).
 */
function quotePool(view: LedgerView, request: ConversionRequest): PoolQuote | undefined {
  const { rounding, workLimit } = request;
  if (rounding === 'offer' || workLimit === 0) return undefined;
  if (isPoolSwitchedOff(view.header, 'trading')) return undefined;
  const entry = view.peek(liquidityPoolKeyId(poolIdOfAssets(request.send, request.receive)));
  if (entry?.data.type !== 'liquidityPool') return undefined;

  const pool = entry.data.liquidityPool;
  const { params, reserveA, reserveB } = pool.body.constantProduct;
  if (reserveA <= 0n || reserveB <= 0n) return undefined;
  const sendsA = sameAsset(request.send, params.assetA);
  const sides = {
    into: sendsA ? reserveA : reserveB,
    outOf: sendsA ? reserveB : reserveA,
    feeBps: params.fee,
  };
  if (rounding === 'strictSend') {
    const received = poolPaysFor(sides, request.maxSend);
    return received === undefined ? undefined : { pool, sent: request.maxSend, received };
  }
  const sent = poolAsksFor(sides, request.maxReceive);
  return sent === undefined ? undefined : { pool, sent, received: request.maxReceive };
}

/** Moves the quoted amounts through the pool, and returns the claim that records them. */
function exchangeWithPool(
  ltx: LedgerTxn,
  { send, receive }: ConversionRequest,
  { pool, sent, received }: PoolQuote,
): xdr.ClaimAtom {
  const { params, reserveA, reserveB } = pool.body.constantProduct;
  const [addedA, addedB] = sameAsset(send, params.assetA) ? [sent, -received] : [-received, sent];
  updatePool(
    ltx,
    withPoolState(pool, { reserveA: reserveA + addedA, reserveB: reserveB + addedB }),
  );
  return xdr.ClaimAtom.claimAtomTypeLiquidityPool(
    new xdr.ClaimLiquidityAtom({
      liquidityPoolId: pool.liquidityPoolId,
      assetSold: receive,
      amountSold: received,
      assetBought: send,
      amountBought: sent,
    }),
  );
}
