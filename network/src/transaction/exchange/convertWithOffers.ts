import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn, OfferPlace } from '../../state/index.ts';
import type { Conversion, ConversionEnd, ConversionRequest } from './conversion.ts';
import { crossOffer } from './crossOffer.ts';
import { removeOffer, standingOffer } from './offerEntry.ts';

/**
 * Converts by crossing offers, best first, until the request is met or the market, the judge or
 * the work limit ends it. Touches only offers that it crosses or removes
 * (stellar-core `OfferExchange.cpp`, `convertWithOffers`).
 */
export function convertWithOffers(ltx: LedgerTxn, request: ConversionRequest): Conversion {
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
