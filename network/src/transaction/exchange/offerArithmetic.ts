import { xdr } from '@stellar/stellar-sdk';
import { INT64_MAX, LedgerFault } from '../balances/index.ts';

/**
 * The limits of an exchange between the maker, whose offer is in the book, and the taker, who crosses it. The maker gives the
 * offer's asset and receives what the taker sends.
 */
interface ExchangeLimits {
  readonly makerSend: bigint;
  readonly makerReceive: bigint;
  readonly takerSend: bigint;
  readonly takerReceive: bigint;
}

/** The amounts moved by an exchange. */
export interface ExchangeAmounts {
  /** From the maker to the taker. */
  readonly received: bigint;
  /** From the taker to the maker. */
  readonly sent: bigint;
  /** Whether the maker had the larger offer, which stays in the book while the taker is done. */
  readonly makerStays: boolean;
}

const UNBOUNDED = { takerSend: INT64_MAX, takerReceive: INT64_MAX } as const;

/**
 * Crosses an offer at its price (sent per received). The smaller side is used up, the larger stays, and rounding favors the one
 * that stays; if rounding would cost either side of an offer more than 1%, nothing moves. Throws if the limits lead to amounts
 * that break these guarantees, which cannot happen in a sound ledger (CAP-4; stellar-core `OfferExchange.cpp`, `exchangeV10`).
 */
export function exchange(
  price: xdr.Price,
  limits: ExchangeLimits,
  rounding: Rounding,
): ExchangeAmounts {
  const amounts = exchangeAnyError(price, limits, rounding);
  const { received, sent, makerStays } = amounts;
  if (received === 0n || sent === 0n) {
    if (rounding !== 'strictSend') return { received: 0n, sent: 0n, makerStays };
    if (sent === 0n) throw new LedgerFault('exchange_unfair');
    return amounts;
  }
  const receivedValue = received * BigInt(price.n);
  const sentValue = sent * BigInt(price.d);
  if (makerStays ? sentValue < receivedValue : sentValue > receivedValue) {
    throw new LedgerFault('exchange_unfair');
  }
  if (isPriceErrorBounded(price, amounts, rounding === 'offer' ? 'neither' : 'maker')) {
    return amounts;
  }
  if (rounding !== 'offer') throw new LedgerFault('exchange_unfair');
  return { received: 0n, sent: 0n, makerStays };
}

/** Like `exchange`, but regardless of how far rounding moves the price. Liabilities of offers are computed this way. */
export function exchangeAnyError(
  price: xdr.Price,
  limits: ExchangeLimits,
  rounding: Rounding,
): ExchangeAmounts {
  const n = BigInt(price.n);
  const d = BigInt(price.d);
  // Both sizes in the taker's asset, multiplied by d to avoid rounding.
  const makerValue = min(limits.makerSend * n, limits.makerReceive * d);
  const takerValue = min(limits.takerSend * d, limits.takerReceive * n);
  const makerStays = makerValue > takerValue;
  let received: bigint;
  let sent: bigint;
  if (makerStays) {
    if (rounding === 'strictSend') {
      received = takerValue / n;
      sent = min(limits.takerSend, limits.makerReceive);
    } else if (n > d || rounding === 'strictReceive') {
      received = takerValue / n;
      sent = divideUp(received * n, d);
    } else {
      sent = takerValue / d;
      received = (sent * d) / n;
    }
  } else if (n > d) {
    received = makerValue / n;
    sent = (received * n) / d;
  } else {
    sent = makerValue / d;
    received = divideUp(sent * d, n);
  }
  if (
    received < 0n ||
    received > min(limits.takerReceive, limits.makerSend) ||
    sent < 0n ||
    sent > min(limits.makerReceive, limits.takerSend)
  ) {
    throw new LedgerFault('exchange_out_of_bounds');
  }
  return { received, sent, makerStays };
}

/**
 * True if the price paid is within 1% of the offer's price; `maker` lets it exceed that in favor of the maker (stellar-core
 * `checkPriceErrorBound`).
 */
export function isPriceErrorBounded(
  price: xdr.Price,
  { received, sent }: { readonly received: bigint; readonly sent: bigint },
  mayGainMore: 'neither' | 'maker',
): boolean {
  const due = 100n * BigInt(price.n) * received;
  const paid = 100n * BigInt(price.d) * sent;
  if (mayGainMore === 'maker' && paid > due) return true;
  const error = due > paid ? due - paid : paid - due;
  return error <= BigInt(price.n) * received;
}

/**
 * The part of an offer that can trade, given what its owner can send and receive: what a taker without limits would get from
 * it. Adjusting is idempotent (stellar-core `adjustOffer`).
 */
export function adjustedOfferAmount(
  price: xdr.Price,
  makerSend: bigint,
  makerReceive: bigint,
): bigint {
  return exchange(price, { ...UNBOUNDED, makerSend, makerReceive }, 'offer').received;
}

/**
 * The amounts that an offer can still buy and sell, for which its owner has to keep room and balance
 * (stellar-core `getOfferBuyingLiabilities`, `getOfferSellingLiabilities`).
 */
export function offerLiabilities(
  price: xdr.Price,
  makerSend: bigint,
  makerReceive: bigint = INT64_MAX,
): { readonly buying: bigint; readonly selling: bigint } {
  const amounts = exchangeAnyError(price, { ...UNBOUNDED, makerSend, makerReceive }, 'offer');
  return { buying: amounts.sent, selling: amounts.received };
}

/** Negative if `a` is the lower price, 0 if both are equal as fractions. */
export function comparePrices(a: xdr.Price, b: xdr.Price): number {
  // The products stay below 2^62 but can exceed 2^53, hence bigint.
  const left = BigInt(a.n) * BigInt(b.d);
  const right = BigInt(b.n) * BigInt(a.d);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The same price, seen from the other side of the market. */
export function inversePrice(price: xdr.Price): xdr.Price {
  return new xdr.Price({ n: price.d, d: price.n });
}

/** True if a price is a positive fraction. */
export function isPriceValid(price: xdr.Price): boolean {
  return price.n > 0 && price.d > 0;
}

/** `a / b` rounded towards infinity, for `a >= 0` and `b > 0`. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/**
 * In whose favor an exchange rounds. An offer trades only at a price within 1% of the one crossed. A path payment has its own
 * limit, so the offer in the book can gain more than that, and `strictSend` sends everything to the last stroop even if that
 * buys nothing.
 */
export type Rounding = 'offer' | 'strictSend' | 'strictReceive';
