import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import type { LedgerTxn } from '../../state/index.ts';
import {
  INT64_MAX,
  isAssetValid,
  isIssuer,
  peekAccount,
  sameAccount,
  sameAsset,
} from '../balances/index.ts';
import { convert, MAX_OFFERS_TO_CROSS, type OfferVerdict } from './convert.ts';
import { touchesFrozenKey } from './frozenOffer.ts';

/** Why a chain of conversions fails. */
export type PathFailure = 'tooFewOffers' | 'offerCrossSelf' | 'exceededWorkLimit';

/** The result of a chain of conversions. */
export type PathConversion =
  | {
      readonly ok: true;
      /** The amount to send (strict receive), or the amount that arrives (strict send). */
      readonly amount: bigint;
      /** In the order of the path, from source to destination. */
      readonly claims: readonly xdr.ClaimAtom[];
    }
  | { readonly ok: false; readonly failure: PathFailure };

/** True if all assets of a path payment are valid. */
export function arePathAssetsValid(
  sendAsset: xdr.Asset,
  destAsset: xdr.Asset,
  path: readonly xdr.Asset[],
): boolean {
  return isAssetValid(sendAsset) && isAssetValid(destAsset) && path.every(isAssetValid);
}

/**
 * True if the destination exists or does not have to, because an asset that returns directly to its issuer can always be sent
 * (stellar-core `shouldBypassIssuerCheck`).
 */
export function hasDestination(
  ltx: LedgerTxn,
  destination: xdr.PublicKey,
  payment: {
    readonly sendAsset: xdr.Asset;
    readonly destAsset: xdr.Asset;
    readonly path: readonly xdr.Asset[];
  },
): boolean {
  const { sendAsset, destAsset, path } = payment;
  const returnsToIssuer =
    path.length === 0 && isIssuer(destination, destAsset) && sameAsset(sendAsset, destAsset);
  return returnsToIssuer || peekAccount(ltx, destination) !== undefined;
}

/**
 * Converts along a path from its first asset to its last, sending exactly `amount`. Every hop can use the order book or a pool;
 * all hops share one work limit (CAP-24).
 */
export function convertSending(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  path: readonly xdr.Asset[],
  amount: bigint,
  frozenKeys: FrozenKeys,
): PathConversion {
  return walk(ltx, source, path, amount, frozenKeys, 'strictSend');
}

/** Like `convertSending`, from the last asset back to the first, so that exactly `amount` arrives. */
export function convertReceiving(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  path: readonly xdr.Asset[],
  amount: bigint,
  frozenKeys: FrozenKeys,
): PathConversion {
  return walk(ltx, source, [...path].reverse(), amount, frozenKeys, 'strictReceive');
}

function walk(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  assets: readonly xdr.Asset[],
  start: bigint,
  frozenKeys: FrozenKeys,
  rounding: 'strictSend' | 'strictReceive',
): PathConversion {
  const judge = (offer: xdr.OfferEntry): OfferVerdict => {
    if (sameAccount(offer.sellerId, source)) return 'stopAtOwn';
    return touchesFrozenKey(frozenKeys, offer) ? 'remove' : 'cross';
  };
  const sends = rounding === 'strictSend';
  const hops: (readonly xdr.ClaimAtom[])[] = [];
  let amount = start;
  let workLimit = MAX_OFFERS_TO_CROSS;
  let [from] = assets;
  for (const to of assets.slice(1)) {
    if (from === undefined || sameAsset(from, to)) continue;
    const { end, sent, received, claims, workLeft } = convert(ltx, {
      send: sends ? from : to,
      receive: sends ? to : from,
      maxSend: sends ? amount : INT64_MAX,
      maxReceive: sends ? INT64_MAX : amount,
      rounding,
      judge,
      workLimit,
    });
    if (end === 'stopAtOwn') return { ok: false, failure: 'offerCrossSelf' };
    if (end === 'tooMuchWork') return { ok: false, failure: 'exceededWorkLimit' };
    if (end !== 'complete' || amount !== (sends ? sent : received)) {
      return { ok: false, failure: 'tooFewOffers' };
    }
    hops.push(claims);
    amount = sends ? received : sent;
    workLimit = workLeft;
    from = to;
  }
  return { ok: true, amount, claims: (sends ? hops : hops.reverse()).flat() };
}
