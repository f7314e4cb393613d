import type { xdr } from '@stellar/stellar-sdk';
import type { Rounding } from './rounding.ts';

/**
 * What an exchange does with the next offer: cross it, take it out of the book because it touches
 * a frozen key (CAP-77), or stop there.
 */
export type OfferVerdict = 'cross' | 'remove' | 'stopAtPrice' | 'stopAtOwn';

/** A wish to convert one asset into another. */
export interface ConversionRequest {
  readonly send: xdr.Asset;
  readonly maxSend: bigint;
  readonly receive: xdr.Asset;
  readonly maxReceive: bigint;
  readonly rounding: Rounding;
  /** Called for each offer in its turn, best first. */
  readonly judge: (offer: xdr.OfferEntry) => OfferVerdict;
  /** How many offers and pools may still be crossed. */
  readonly workLimit: number;
}

/**
 * Why a conversion ended: all that was asked for is converted (or nothing was asked), the market
 * has no more, an offer stopped it, or more work is needed than allowed.
 */
export type ConversionEnd = 'complete' | 'partial' | 'stopAtPrice' | 'stopAtOwn' | 'tooMuchWork';

/** What a conversion moved. */
export interface Conversion {
  readonly end: ConversionEnd;
  readonly sent: bigint;
  readonly received: bigint;
  readonly claims: readonly xdr.ClaimAtom[];
  /** The rest of the request's work limit. */
  readonly workLeft: number;
}
