import type { LedgerTxn } from '../../state/index.ts';
import type { Conversion, ConversionRequest } from './conversion.ts';
import { convertWithOffers } from './convertWithOffers.ts';
import { exchangeWithPool, type PoolQuote, quotePool } from './pool.ts';

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
