import type { xdr } from '@stellar/stellar-sdk';
import { INT64_MAX, LedgerFault } from '../balances/index.ts';
import { divideUp, max, min } from './offerArithmetic.ts';

/** The fee of every liquidity pool, in hundredths of a percent (CAP-38). */
export const POOL_FEE_BPS = 30;

const ALL_BPS = 10_000n;

/** The two reserves of a pool, from the view of an exchange. Both are positive. */
export interface PoolSides {
  /** Reserve of the asset that is paid in. */
  readonly into: bigint;
  /** Reserve of the asset that is paid out. */
  readonly outOf: bigint;
  /** Fee in hundredths of a percent of the amount paid in. */
  readonly feeBps: number;
}

/**
 * The amount that a pool pays out for `sent`, rounded down; undefined if it cannot take that much or would pay nothing (CAP-38;
 * stellar-core `exchangeWithPool`).
 */
export function poolPaysFor(pool: PoolSides, sent: bigint): bigint | undefined {
  const share = kept(pool);
  if (sent > INT64_MAX - pool.into) return undefined;
  const paid = (share * pool.outOf * sent) / (ALL_BPS * pool.into + share * sent);
  return paid === 0n ? undefined : paid;
}

/**
 * The amount to send for a pool to pay out `received`, rounded up; undefined if it does not have that much or cannot take the
 * price (CAP-38; stellar-core `exchangeWithPool`).
 */
export function poolAsksFor(pool: PoolSides, received: bigint): bigint | undefined {
  const share = kept(pool);
  if (received >= pool.outOf) return undefined;
  const asked = divideUp(ALL_BPS * pool.into * received, (pool.outOf - received) * share);
  return asked > INT64_MAX - pool.into ? undefined : asked;
}

/** The value of `shares` in one of a pool's reserves, rounded down. */
export function poolShareWorth(shares: bigint, totalShares: bigint, reserve: bigint): bigint {
  if (shares > totalShares) throw new LedgerFault('pool_out_of_bounds');
  return (shares * reserve) / totalShares;
}

/** The amounts that a deposit moves into a pool, and the shares that it receives. */
export interface PoolDeposit {
  readonly amountA: bigint;
  readonly amountB: bigint;
  readonly shares: bigint;
}

/** The first deposit sets the price: all of it is deposited, for the geometric mean in shares. */
export function firstDeposit(maxAmountA: bigint, maxAmountB: bigint): PoolDeposit {
  return { amountA: maxAmountA, amountB: maxAmountB, shares: squareRoot(maxAmountA * maxAmountB) };
}

/**
 * A deposit at the price of the pool: the maximum number of shares that both maximum amounts cover, for the amounts due,
 * rounded up.
 */
export function laterDeposit(
  pool: xdr.LiquidityPoolEntryConstantProduct,
  maxAmountA: bigint,
  maxAmountB: bigint,
): PoolDeposit {
  const { reserveA, reserveB, totalPoolShares } = pool;
  const shares = min(
    (totalPoolShares * maxAmountA) / reserveA,
    (totalPoolShares * maxAmountB) / reserveB,
  );
  const amountA = divideUp(shares * reserveA, totalPoolShares);
  const amountB = divideUp(shares * reserveB, totalPoolShares);
  if (max(shares, max(amountA, amountB)) > INT64_MAX) throw new LedgerFault('pool_out_of_bounds');
  return { amountA, amountB, shares };
}

/** True if `amountA / amountB` is not between two prices, or is not a price at all. */
export function isBadPrice(
  amountA: bigint,
  amountB: bigint,
  minPrice: xdr.Price,
  maxPrice: xdr.Price,
): boolean {
  return (
    amountA === 0n ||
    amountB === 0n ||
    amountA * BigInt(minPrice.d) < amountB * BigInt(minPrice.n) ||
    amountA * BigInt(maxPrice.d) > amountB * BigInt(maxPrice.n)
  );
}

/** The largest integer whose square does not exceed `value`. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function kept(pool: PoolSides): bigint {
  if (pool.into <= 0n || pool.outOf <= 0n) throw new LedgerFault('pool_out_of_bounds');
  if (pool.feeBps < 0 || pool.feeBps >= 10_000) throw new LedgerFault('pool_out_of_bounds');
  return ALL_BPS - BigInt(pool.feeBps);
}
