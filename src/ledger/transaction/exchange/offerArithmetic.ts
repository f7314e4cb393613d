import type { xdr } from '@stellar/stellar-sdk';
import { INT64_MAX, LedgerFault } from '../balances/index.ts';
import { divideUp, min } from './division.ts';
import type { Rounding } from './rounding.ts';

/**
 * What bounds an exchange between the maker, whose offer is in the book, and the taker, who crosses
 * it. The maker gives the offer's asset and receives what the taker sends.
 */
export interface ExchangeLimits {
  readonly makerSend: bigint;
  readonly makerReceive: bigint;
  readonly takerSend: bigint;
  readonly takerReceive: bigint;
}

/** What an exchange moves. */
export interface ExchangeAmounts {
  /** From the maker to the taker. */
  readonly received: bigint;
  /** From the taker to the maker. */
  readonly sent: bigint;
  /** The maker had the larger offer: it stays in the book, and the taker is done. */
  readonly makerStays: boolean;
}

const UNBOUNDED = { takerSend: INT64_MAX, takerReceive: INT64_MAX } as const;

/**
 * Crosses an offer at its price (sent per received). The smaller side is used up, the larger stays,
 * and rounding favours the one that stays; where rounding would cost either side of an offer more
 * than 1 %, nothing moves. Throws where the limits lead to amounts that break those promises, which the
 * limits of a sound ledger cannot (CAP-4; stellar-core `OfferExchange.cpp`, `exchangeV10`).
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

/** Like `exchange`, however far rounding moves the price: the liabilities of offers are counted this way. */
export function exchangeAnyError(
  price: xdr.Price,
  limits: ExchangeLimits,
  rounding: Rounding,
): ExchangeAmounts {
  const n = BigInt(price.n);
  const d = BigInt(price.d);
  // Both sizes as what the offer is worth in the taker's asset, times d so that nothing rounds.
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
 * True where the price paid is within 1 % of the offer's price; `maker` lets it exceed that in
 * favour of the maker (stellar-core `checkPriceErrorBound`).
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
 * The part of an offer that can trade, given what its owner can send and receive: what a taker
 * without limits would get from it. Adjusting twice changes nothing more (stellar-core
 * `adjustOffer`).
 */
export function adjustedOfferAmount(
  price: xdr.Price,
  makerSend: bigint,
  makerReceive: bigint,
): bigint {
  return exchange(price, { ...UNBOUNDED, makerSend, makerReceive }, 'offer').received;
}

/**
 * What an offer may still buy and sell, which its owner has to keep room and balance for
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
