import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { totalLumens } from '../../../test/helpers/testInvariants.ts';
import {
  buyOp,
  depositOp,
  NATIVE,
  passiveOp,
  receiveOp,
  sellOp,
  sendOp,
  TestMarket,
  type TestPrice,
  withdrawOp,
} from '../../../test/helpers/testMarket.ts';
import { changeTrustOp, poolOf } from '../../../test/helpers/testOperations.ts';
import { INT64_MAX, sameAsset } from '../balances/index.ts';
import { poolIdOfAssets } from '../exchange/index.ts';

/** One random operation, described by numbers so that it shrinks. */
interface Move {
  readonly kind: number;
  readonly who: number;
  readonly selling: number;
  /** How many assets further the bought one is: 1 or 2. */
  readonly step: number;
  readonly amount: bigint;
  readonly price: TestPrice;
  readonly offer: number;
}

const moves: fc.Arbitrary<Move> = fc.record({
  kind: fc.nat(8),
  who: fc.nat(3),
  selling: fc.nat(2),
  step: fc.integer({ min: 1, max: 2 }),
  amount: fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(0n, 20_000n)),
  price: fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })),
  offer: fc.nat(5),
});

describe('Whatever is traded', () => {
  const succeeded = new Set<number>();

  it('no asset is created or lost, and every liability belongs to an offer', () => {
    fc.assert(
      fc.property(fc.array(moves, { minLength: 20, maxLength: 60 }), (sequence) => {
        const market = new TestMarket();
        const { usd, eur } = market;
        const assets = [NATIVE, usd, eur];
        const traders = ['a', 'b', 'c', 'd'].map((name) => market.trader(name, 20_000n));
        for (const [a, b] of [
          [NATIVE, usd],
          [NATIVE, eur],
          [eur, usd],
        ] as const) {
          for (const trader of traders) {
            market.must(trader, changeTrustOp(poolOf(a, b), INT64_MAX));
            market.must(trader, depositOp(poolIdOfAssets(a, b), 2000n, 1000n));
          }
        }
        const before = totals(market);
        for (const move of sequence) {
          if (play(market, traders, assets, move) === 'txSuccess') succeeded.add(move.kind);
        }
        assert.deepEqual(totals(market), before);
        market.checkLiabilities();
      }),
      { numRuns: 60 },
    );
  });

  it('and every kind of operation took part', () => {
    assert.equal(succeeded.size, 9);
  });
});

function play(
  market: TestMarket,
  traders: readonly xdr.PublicKey[],
  assets: readonly xdr.Asset[],
  { kind, who, selling, step, amount, price, offer }: Move,
): string {
  const trader = traders[who] ?? assert.fail();
  const friend = traders[(who + 1) % traders.length] ?? assert.fail();
  const sold = assets[selling] ?? assert.fail();
  const bought = assets[(selling + step) % assets.length] ?? assert.fail();
  const own = market.offersOf(trader);
  const id = own[offer % Math.max(own.length, 1)]?.offerId ?? 0n;
  const poolId = poolIdOfAssets(sold, bought);
  const path = assets.filter((asset) => !sameAsset(asset, sold) && !sameAsset(asset, bought));
  const bodies = [
    () => sellOp(sold, bought, amount, price),
    () => sellOp(sold, bought, amount, price, id),
    () => buyOp(sold, bought, amount, price),
    () => buyOp(sold, bought, amount, price, id),
    () => passiveOp(sold, bought, amount, price),
    () => receiveOp(sold, INT64_MAX, friend, bought, amount, offer % 2 === 0 ? [] : path),
    () => sendOp(sold, amount, friend, bought, 1n, offer % 2 === 0 ? [] : path),
    () => depositOp(poolId, amount, amount),
    () => withdrawOp(poolId, amount),
  ];
  return market.apply([trader, bodies[kind]?.() ?? assert.fail()]).code;
}

/** All lumens, USD and EUR that there are, wherever they are. */
function totals(market: TestMarket): bigint[] {
  const entries = market.entries();
  const issued = [market.usd, market.eur].map((asset) =>
    entries.reduce((sum, { data }) => {
      if (data.type === 'trustline') {
        const { asset: held, balance } = data.trustLine;
        return held.type !== 'assetTypePoolShare' && sameAsset(held, asset) ? sum + balance : sum;
      }
      if (data.type !== 'liquidityPool') return sum;
      const { params, reserveA, reserveB } = data.liquidityPool.body.constantProduct;
      if (sameAsset(params.assetA, asset)) return sum + reserveA;
      return sameAsset(params.assetB, asset) ? sum + reserveB : sum;
    }, 0n),
  );
  return [totalLumens(entries), ...issued];
}
