import type { xdr } from '@stellar/stellar-sdk';
import type { Rounding } from './rounding.ts';

/**
 * What an exchange does with the next offer: cross it, remove it because it touches a frozen key (CAP-77), or stop there.
 */
export type OfferVerdict = 'cross' | 'remove' | 'stopAtPrice' | 'stopAtOwn';

/** A request to convert one asset into another. */
export interface ConversionRequest {
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
export type ConversionEnd = 'complete' | 'partial' | 'stopAtPrice' | 'stopAtOwn' | 'tooMuchWork';

/** The result of a conversion. */
export interface Conversion {
  readonly end: ConversionEnd;
  readonly sent: bigint;
  readonly received: bigint;
  readonly claims: readonly xdr.ClaimAtom[];
  /** The rest of the request's work limit. */
  readonly workLeft: number;
}
