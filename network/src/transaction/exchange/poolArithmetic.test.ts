import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { INT64_MAX, LedgerFault } from '../balances/index.ts';
import {
  firstDeposit,
  isBadPrice,
  laterDeposit,
  POOL_FEE_BPS,
  poolAsksFor,
  poolPaysFor,
  poolShareWorth,
  squareRoot,
} from './poolArithmetic.ts';

const MAX = INT64_MAX;
const pool = (into: bigint, outOf: bigint, feeBps = 0) => ({ into, outOf, feeBps });
const isFault = (error: unknown): boolean =>
  error instanceof LedgerFault && error.code === 'pool_out_of_bounds';

describe('A pool pays for what is sent, rounded down', () => {
  it('by the constant product', () => {
    assert.equal(poolPaysFor(pool(100n, 100n), 100n), 50n);
    assert.equal(poolPaysFor(pool(100n, 100n), 50n), 33n);
    assert.equal(poolPaysFor(pool(100n, 100n), MAX - 100n), 99n);
  });

  it('but not if it would pay nothing', () => {
    assert.equal(poolPaysFor(pool(100n, 100n), 2n), 1n);
    assert.equal(poolPaysFor(pool(100n, 100n), 1n), undefined);
    assert.equal(poolPaysFor(pool(100n, 100n), 0n), undefined);
  });

  it('but not where its reserve would overflow', () => {
    assert.equal(poolPaysFor(pool(100n, 100n), MAX - 99n), undefined);
    assert.equal(poolPaysFor(pool(MAX - 100n, MAX - 100n), 100n), 99n);
    assert.equal(poolPaysFor(pool(MAX - 99n, MAX - 100n), 100n), undefined);
  });
});

describe('A pool charges for what it pays out, rounded up', () => {
  it('by the constant product', () => {
    assert.equal(poolAsksFor(pool(100n, 100n), 50n), 100n);
    assert.equal(poolAsksFor(pool(100n, 100n), 33n), 50n);
    assert.equal(poolAsksFor(pool(100n, 100n), 0n), 0n);
  });

  it('but never pays out its whole reserve', () => {
    assert.equal(poolAsksFor(pool(100n, 100n), 99n), 9900n);
    assert.equal(poolAsksFor(pool(100n, 100n), 100n), undefined);
    assert.equal(poolAsksFor(pool(100n, MAX / 100n), MAX / 100n - 1n), MAX - 107n);
    assert.equal(poolAsksFor(pool(100n, MAX / 100n), MAX / 100n), undefined);
  });

  it('but not where its reserve would overflow', () => {
    assert.equal(poolAsksFor(pool(MAX / 100n, 101n * 10_000n + 1n), 101n * 10_000n), undefined);
    assert.equal(poolAsksFor(pool(MAX / 100n, 10_001n), 10_000n), undefined);
    assert.equal(poolAsksFor(pool(MAX - 100n, MAX / 2n), 49n), 98n);
    assert.equal(poolAsksFor(pool(MAX - 100n, MAX / 2n), 50n), undefined);
  });
});

describe('A pool keeps 0.30 % of what is paid in', () => {
  it('in both directions', () => {
    assert.equal(POOL_FEE_BPS, 30);
    assert.equal(poolPaysFor(pool(10_000n, 20_000n, 30), 10_031n), 10_000n);
    assert.equal(poolAsksFor(pool(10_000n, 20_000n, 30), 10_000n), 10_031n);
  });

  it('so that its product never falls', () => {
    const reserve = fc.oneof(fc.bigInt(1n, 10_000n), fc.bigInt(1n, MAX));
    fc.assert(
      fc.property(reserve, reserve, reserve, (into, outOf, amount) => {
        const sides = pool(into, outOf, POOL_FEE_BPS);
        const paid = poolPaysFor(sides, amount);
        if (paid !== undefined) {
          assert.ok(paid < outOf);
          assert.ok((into + amount) * (outOf - paid) >= into * outOf);
        }
        const asked = poolAsksFor(sides, amount);
        if (asked !== undefined) {
          assert.ok(asked <= MAX - into);
          assert.ok((into + asked) * (outOf - amount) >= into * outOf);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('and charges no more than the amount costs', () => {
    const reserve = fc.oneof(fc.bigInt(2n, 10_000n), fc.bigInt(2n, MAX));
    fc.assert(
      fc.property(reserve, reserve, fc.bigInt(1n, MAX), (into, outOf, amount) => {
        const sides = pool(into, outOf, POOL_FEE_BPS);
        const asked = poolAsksFor(sides, amount);
        fc.pre(asked !== undefined && asked > 0n);
        const paid = poolPaysFor(sides, asked ?? 0n);
        assert.ok(paid !== undefined && paid >= amount);
        const less = poolPaysFor(sides, (asked ?? 0n) - 1n);
        assert.ok(less === undefined || less < amount);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('A pool takes as much as a 64-bit integer holds', () => {
  it('to the last unit, and not one more', () => {
    const into = MAX / 7n;
    assert.equal(into * 7n, MAX);
    assert.equal(poolAsksFor(pool(into, 7n, 0), 6n), MAX - into);
    assert.equal(poolAsksFor(pool(into + 1n, 7n, 0), 6n), undefined);
    assert.notEqual(poolPaysFor(pool(into, MAX, 0), MAX - into), undefined);
    assert.equal(poolPaysFor(pool(into, MAX, 0), MAX - into + 1n), undefined);
  });
});

describe('A pool without reserves, or with a fee out of range', () => {
  it('is a fault', () => {
    for (const sides of [pool(0n, 1n), pool(1n, 0n), pool(1n, 1n, -1), pool(1n, 1n, 10_000)]) {
      assert.throws(() => poolPaysFor(sides, 1n), isFault);
      assert.throws(() => poolAsksFor(sides, 1n), isFault);
    }
  });
});

describe('Shares of a pool', () => {
  const constantProduct = (reserveA: bigint, reserveB: bigint, totalPoolShares: bigint) =>
    new xdr.LiquidityPoolEntryConstantProduct({
      params: new xdr.LiquidityPoolConstantProductParameters({
        assetA: xdr.Asset.assetTypeNative(),
        assetB: xdr.Asset.assetTypeNative(),
        fee: POOL_FEE_BPS,
      }),
      reserveA,
      reserveB,
      totalPoolShares,
      poolSharesTrustLineCount: 1n,
    });

  it('are the geometric mean of the first deposit', () => {
    assert.deepEqual(firstDeposit(4n, 9n), { amountA: 4n, amountB: 9n, shares: 6n });
    assert.equal(firstDeposit(2n, 3n).shares, 2n);
    assert.equal(firstDeposit(MAX, MAX).shares, MAX);
  });

  it('are those that both maxima of a later deposit pay for', () => {
    assert.deepEqual(laterDeposit(constantProduct(100n, 400n, 200n), 10n, 1000n), {
      amountA: 10n,
      amountB: 40n,
      shares: 20n,
    });
    assert.deepEqual(laterDeposit(constantProduct(3n, 7n, 4n), 2n, 7n), {
      amountA: 2n,
      amountB: 4n,
      shares: 2n,
    });
  });

  it('are worth their part of a reserve, rounded down', () => {
    assert.equal(poolShareWorth(5n, 10n, 6n), 3n);
    assert.equal(poolShareWorth(4n, 5n, 9n), 7n);
    assert.equal(poolShareWorth(MAX, MAX, MAX), MAX);
    assert.throws(() => poolShareWorth(11n, 10n, 6n), isFault);
  });

  it('cost at least what they are worth', () => {
    const amount = fc.bigInt(1n, 10n ** 15n);
    fc.assert(
      fc.property(amount, amount, amount, amount, (a, b, maxA, maxB) => {
        const { shares } = firstDeposit(a, b);
        const deposit = laterDeposit(constantProduct(a, b, shares), maxA, maxB);
        assert.ok(deposit.amountA <= maxA && deposit.amountB <= maxB);
        const total = shares + deposit.shares;
        assert.ok(poolShareWorth(deposit.shares, total, a + deposit.amountA) <= deposit.amountA);
        assert.ok(poolShareWorth(deposit.shares, total, b + deposit.amountB) <= deposit.amountB);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('The price of a deposit', () => {
  const at = (n: number, d: number): xdr.Price => new xdr.Price({ n, d });

  it('is bad below the minimum, above the maximum, or where one amount is zero', () => {
    assert.equal(isBadPrice(3n, 2n, at(3, 2), at(3, 2)), false);
    assert.equal(isBadPrice(2n, 2n, at(3, 2), at(2, 1)), true);
    assert.equal(isBadPrice(5n, 2n, at(3, 2), at(2, 1)), true);
    assert.equal(isBadPrice(5n, 4n, at(1, 1), at(6, 5)), true);
    assert.equal(isBadPrice(0n, 2n, at(1, 1000), at(1000, 1)), true);
    assert.equal(isBadPrice(2n, 0n, at(1, 1000), at(1000, 1)), true);
  });
});

describe('The square root', () => {
  it('is the largest integer whose square is not above the value', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX * MAX), (value) => {
        const root = squareRoot(value);
        assert.ok(root * root <= value && (root + 1n) * (root + 1n) > value);
      }),
      { numRuns: 2000 },
    );
    assert.deepEqual([0n, 1n, 2n, 3n, 4n, 8n, 9n].map(squareRoot), [0n, 1n, 1n, 1n, 2n, 2n, 3n]);
  });
});
