import { xdr } from '@stellar/stellar-sdk';
import {
  accountIdString,
  type LedgerKeyId,
  type LedgerTxn,
  type LedgerView,
  liquidityPoolKeyId,
} from '../../state/index.ts';
import {
  dropPoolShareLine,
  dropPoolUse,
  isAuthorizedToMaintainLiabilities,
  isClawbackEnabled,
  isIssuer,
  LedgerFault,
  loadHolding,
  loadPool,
  loadTrustlineEntry,
  newEntry,
  sameAsset,
  TRUSTLINE_AUTH_MASK,
  TRUSTLINE_FLAGS,
  trustLineAssetOf,
  updatePool,
  updateTrustline,
  withPoolState,
} from '../balances/index.ts';
import { poolShareWorth, removeOffer, standingOffer } from '../exchange/index.ts';
import {
  entrySponsor,
  establishEntrySponsorship,
  payReserveOfNewEntry,
  returnReserveOfEntry,
  type SponsorshipFailure,
  sponsorOf,
} from '../sponsorship/index.ts';
import { balanceAddress, newBalance } from './claimableBalance/balanceEntry.ts';
import { revokedBalanceId } from './claimableBalance/balanceId.ts';
import type { OperationContext } from './operation.ts';

/** The trustline whose flags an issuer sets. */
interface IssuedLine {
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

/**
 * Removes the shares of every pool with an asset from a holder who lost the authorization for it. The value of the shares
 * moves, asset by asset, into claimable balances for the holder, whose reserves replace those of the pool share trustlines
 * (CAP-38; stellar-core `removeOffersAndPoolShareTrustLines`). Returns why that is impossible, if so.
 */
function redeemPoolShares(
  ctx: RevocationContext,
  holder: xdr.PublicKey,
  asset: xdr.Asset,
): SponsorshipFailure | undefined {
  const { ltx } = ctx;
  // In the order of their keys, because the first failure determines the result.
  for (const id of [...ltx.poolShareTrustlinesOf(accountIdString(holder))].sort()) {
    const line = ltx.peek(id);
    if (line === undefined || !holdsPoolOf(ltx, line, asset)) continue;
    const failure = redeemLine(ctx, id, holder);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function redeemLine(
  ctx: RevocationContext,
  lineId: LedgerKeyId,
  holder: xdr.PublicKey,
): SponsorshipFailure | undefined {
  const { ltx } = ctx;
  const entry = ltx.load(lineId);
  if (entry === undefined) throw new LedgerFault('trustline_missing');
  const { poolId, shares } = poolSharesIn(entry);
  const backer = entrySponsor(entry) ?? holder;
  returnReserveOfEntry(ltx, entry, holder);
  ltx.erase(lineId);

  const pool = loadPool(ltx, poolId);
  if (pool === undefined) throw new LedgerFault('pool_missing');
  const { params, totalPoolShares, reserveA, reserveB } = pool.body.constantProduct;
  if (shares !== 0n) {
    const amountA = poolShareWorth(shares, totalPoolShares, reserveA);
    const amountB = poolShareWorth(shares, totalPoolShares, reserveB);
    const failure =
      redeemAsset(ctx, { poolId, holder, backer }, params.assetA, amountA) ??
      redeemAsset(ctx, { poolId, holder, backer }, params.assetB, amountB);
    if (failure !== undefined) return failure;
    updatePool(
      ltx,
      withPoolState(pool, {
        totalPoolShares: totalPoolShares - shares,
        reserveA: reserveA - amountA,
        reserveB: reserveB - amountB,
      }),
    );
  }
  dropPoolUse(ltx, holder, params.assetA);
  dropPoolUse(ltx, holder, params.assetB);
  dropPoolShareLine(ltx, poolId);
  return undefined;
}

interface Redemption {
  readonly poolId: xdr.PoolId;
  readonly holder: xdr.PublicKey;
  /** The account that paid the trustline's reserve, which now pays that of the claimable balance. */
  readonly backer: xdr.PublicKey;
}

function redeemAsset(
  { ltx, tx, index, events }: RevocationContext,
  { poolId, holder, backer }: Redemption,
  asset: xdr.Asset,
  amount: bigint,
): SponsorshipFailure | undefined {
  if (amount === 0n) return undefined;
  const poolAddress = xdr.ScAddress.scAddressTypeLiquidityPool(poolId);
  if (isIssuer(holder, asset)) {
    events.burn(asset, poolAddress, amount);
    return undefined;
  }
  const holding = loadHolding(ltx, holder, asset);
  if (holding === undefined) throw new LedgerFault('trustline_missing');
  const balanceId = revokedBalanceId(tx, index, poolId, asset);
  const claimants = [unconditionalClaimant(holder)];
  const data = newBalance({ balanceId, asset, amount, claimants }, isClawbackEnabled(holding));
  events.transfer(asset, poolAddress, balanceAddress(balanceId), amount);

  if (sponsorOf(ltx, backer) === undefined) {
    // The reserve that the trustline freed is reused, even below the minimum balance.
    ltx.create(establishEntrySponsorship(ltx, newEntry(data), backer, undefined));
    return undefined;
  }
  const reserve = payReserveOfNewEntry(ltx, data, backer);
  if (!reserve.ok) return reserve.failure;
  ltx.create(reserve.entry);
  return undefined;
}

function holdsPoolOf(view: LedgerView, line: xdr.LedgerEntry, asset: xdr.Asset): boolean {
  const entry = view.peek(liquidityPoolKeyId(poolSharesIn(line).poolId));
  if (entry?.data.type !== 'liquidityPool') throw new LedgerFault('pool_missing');
  const { assetA, assetB } = entry.data.liquidityPool.body.constantProduct.params;
  return sameAsset(assetA, asset) || sameAsset(assetB, asset);
}

function poolSharesIn({ data }: xdr.LedgerEntry): { poolId: xdr.PoolId; shares: bigint } {
  if (data.type !== 'trustline' || data.trustLine.asset.type !== 'assetTypePoolShare') {
    throw new LedgerFault('trustline_missing');
  }
  return { poolId: data.trustLine.asset.liquidityPoolId, shares: data.trustLine.balance };
}

function unconditionalClaimant(destination: xdr.PublicKey): xdr.Claimant {
  return xdr.Claimant.claimantTypeV0(
    new xdr.ClaimantV0({
      destination,
      predicate: xdr.ClaimPredicate.claimPredicateUnconditional(),
    }),
  );
}

/**
 * Removes every offer of a holder that buys or sells an asset
 * (stellar-core `removeOffersByAccountAndAsset`).
 */
function removeOffersOf(ltx: LedgerTxn, holder: xdr.PublicKey, asset: xdr.Asset): void {
  for (const id of ltx.offersOf(accountIdString(holder))) {
    const seen = standingOffer(ltx.peek(id));
    if (seen === undefined) continue;
    if (!sameAsset(seen.offer.selling, asset) && !sameAsset(seen.offer.buying, asset)) continue;
    removeOffer(ltx, seen);
  }
}

/** What the revocation of an authorization needs to know about its operation. */
type RevocationContext = Pick<OperationContext, 'ltx' | 'tx' | 'index' | 'events'>;
