import type { xdr } from '@stellar/stellar-sdk';
import { dataOf, type EntryDelta } from './entryDelta.ts';

/** The change that an operation made to a pool. */
export interface PoolDelta {
  /** The pool after the change, or before it if the pool was removed. */
  readonly pool: xdr.LiquidityPoolEntry;
  readonly reserveA: bigint;
  readonly reserveB: bigint;
  readonly shares: bigint;
}

/** The change of the pool with this id; without an id, that of the first pool touched. */
export function poolDelta(deltas: readonly EntryDelta[], id?: xdr.PoolId): PoolDelta | undefined {
  for (const { before, after } of deltas) {
    const former = dataOf(before, 'liquidityPool')?.liquidityPool;
    const latter = dataOf(after, 'liquidityPool')?.liquidityPool;
    const pool = latter ?? former;
    if (pool === undefined || (id !== undefined && !sameId(pool.liquidityPoolId, id))) continue;
    const [was, is] = [amountsOf(former), amountsOf(latter)];
    return {
      pool,
      reserveA: is.reserveA - was.reserveA,
      reserveB: is.reserveB - was.reserveB,
      shares: is.shares - was.shares,
    };
  }
  return undefined;
}

function amountsOf(pool: xdr.LiquidityPoolEntry | undefined): Omit<PoolDelta, 'pool'> {
  const body = pool?.body.constantProduct;
  return {
    reserveA: body?.reserveA ?? 0n,
    reserveB: body?.reserveB ?? 0n,
    shares: body?.totalPoolShares ?? 0n,
  };
}

function sameId(a: xdr.PoolId, b: xdr.PoolId): boolean {
  return Buffer.compare(a.value, b.value) === 0;
}
