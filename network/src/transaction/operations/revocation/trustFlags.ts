import { xdr } from '@stellar/stellar-sdk';
import {
  isAuthorizedToMaintainLiabilities,
  LedgerFault,
  loadTrustlineEntry,
  TRUSTLINE_AUTH_MASK,
  TRUSTLINE_FLAGS,
  trustLineAssetOf,
  updateTrustline,
} from '../../balances/index.ts';
import type { SponsorshipFailure } from '../../sponsorship/index.ts';
import { redeemPoolShares } from './redeemPoolShares.ts';
import { removeOffersOf } from './removeOffers.ts';
import type { RevocationContext } from './revocationContext.ts';

/** The trustline whose flags an issuer sets. */
export interface IssuedLine {
  readonly asset: xdr.Asset;
  readonly line: xdr.TrustLineEntry;
}

/** The trustline of an operation's trustor, recorded as touched. */
export function loadIssuedLine(
  ctx: RevocationContext,
  trustor: xdr.PublicKey,
  asset: xdr.Asset,
): IssuedLine | undefined {
  const line = loadTrustlineEntry(ctx.ltx, trustor, trustLineAssetOf(asset));
  return line === undefined ? undefined : { asset, line };
}

/**
 * Sets the flags of a trustline. One that loses all authorization first loses its offers and pool shares in that asset (CAP-18,
 * CAP-38; stellar-core `TrustFlagsOpFrameBase.cpp`). Returns why that is impossible, if so.
 */
export function setTrustFlags(
  ctx: RevocationContext,
  { asset, line }: IssuedLine,
  flags: number,
): SponsorshipFailure | undefined {
  const { accountId } = line;
  if (isAuthorizedToMaintainLiabilities(line) && (flags & TRUSTLINE_AUTH_MASK) === 0) {
    removeOffersOf(ctx.ltx, accountId, asset);
    const failure = redeemPoolShares(ctx, accountId, asset);
    if (failure !== undefined) return failure;
  }
  ctx.events.setAuthorized(asset, accountId, (flags & TRUSTLINE_FLAGS.authorized) !== 0);
  const current = loadTrustlineEntry(ctx.ltx, accountId, line.asset);
  if (current === undefined) throw new LedgerFault('trustline_missing');
  updateTrustline(ctx.ltx, new xdr.TrustLineEntry({ ...current, flags }));
  return undefined;
}
