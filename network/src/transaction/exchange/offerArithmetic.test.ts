import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { INT64_MAX, LedgerFault } from '../balances/index.ts';
import {
  adjustedOfferAmount,
  exchange,
  exchangeAnyError,
  isPriceErrorBounded,
  min,
  offerLiabilities,
  type Rounding,
} from './offerArithmetic.ts';

const MAX = INT64_MAX;
const price = (n: number, d: number): xdr.Price => new xdr.Price({ n, d });

/** Crosses an offer and returns [received, sent, whether the maker stays]. */
function cross(
  at: xdr.Price,
  limits: { makerSend?: bigint; makerReceive?: bigint; takerSend?: bigint; takerReceive?: bigint },
  rounding: Rounding = 'offer',
): [bigint, bigint, boolean] {
  const bounds = { makerSend: MAX, makerReceive: MAX, takerSend: MAX, takerReceive: MAX };
  const { received, sent, makerStays } = exchange(at, { ...bounds, ...limits }, rounding);
  return [received, sent, makerStays];
}

describe('The smaller of two crossing offers goes, and rounding favours the larger', () => {
  it('if the amounts that both can send limit them', () => {
    const at = (p: xdr.Price, makerSend: bigint, takerSend: bigint) =>
      cross(p, { makerSend, takerSend });
    assert.deepEqual(at(price(3, 2), 3000n, 4501n), [3000n, 4500n, false]);
    assert.deepEqual(at(price(3, 2), 3000n, 4500n), [3000n, 4500n, false]);
    assert.deepEqual(at(price(3, 2), 3000n, 4499n), [2999n, 4499n, true]);
    assert.deepEqual(at(price(3, 2), 2999n, 4499n), [2999n, 4498n, false]);
    assert.deepEqual(at(price(3, 2), 2999n, 4498n), [2998n, 4497n, true]);
    assert.deepEqual(at(price(2, 3), 3000n, 2001n), [3000n, 2000n, false]);
    assert.deepEqual(at(price(2, 3), 3000n, 1999n), [2998n, 1999n, true]);
    assert.deepEqual(at(price(2, 3), 2999n, 2000n), [2999n, 1999n, false]);
    assert.deepEqual(at(price(2, 3), 2999n, 1999n), [2998n, 1999n, true]);
  });

  it('if the amounts that both can receive limit them', () => {
    const at = (p: xdr.Price, takerReceive: bigint, makerReceive: bigint) =>
      cross(p, { takerReceive, makerReceive });
    assert.deepEqual(at(price(3, 2), 3000n, 4501n), [3000n, 4500n, true]);
    assert.deepEqual(at(price(3, 2), 3000n, 4499n), [2999n, 4498n, false]);
    assert.deepEqual(at(price(3, 2), 2999n, 4499n), [2999n, 4499n, true]);
    assert.deepEqual(at(price(3, 2), 2999n, 4498n), [2998n, 4497n, false]);
    assert.deepEqual(at(price(2, 3), 3000n, 2001n), [3000n, 2000n, true]);
    assert.deepEqual(at(price(2, 3), 3000n, 1999n), [2999n, 1999n, false]);
    assert.deepEqual(at(price(2, 3), 2999n, 2000n), [2998n, 1999n, true]);
  });

  it('if only one asset limits them', () => {
    assert.deepEqual(cross(price(3, 2), { makerSend: 3000n, takerReceive: 2999n }), [
      2999n,
      4499n,
      true,
    ]);
    assert.deepEqual(cross(price(2, 3), { makerSend: 3000n, takerReceive: 2999n }), [
      2998n,
      1999n,
      true,
    ]);
    assert.deepEqual(cross(price(3, 2), { takerSend: 4500n, makerReceive: 4499n }), [
      2999n,
      4498n,
      false,
    ]);
    assert.deepEqual(cross(price(2, 3), { takerSend: 2000n, makerReceive: 2001n }), [
      3000n,
      2000n,
      true,
    ]);
  });
});

describe('Offers trade within 1 % of the price crossed, or not at all', () => {
  it('moves nothing if rounding would cost more', () => {
    assert.deepEqual(cross(price(3, 2), { makerSend: 28n, takerReceive: 27n }), [0n, 0n, true]);
    assert.deepEqual(cross(price(3, 2), { makerSend: 28n, takerReceive: 26n }), [26n, 39n, true]);
    assert.deepEqual(cross(price(3, 2), { makerSend: 52n, takerReceive: 51n }), [51n, 77n, true]);
  });

  it('draws the line at exactly 1 %, on either side', () => {
    const lines: [xdr.Price, bigint, bigint][] = [
      [price(1, 1), 1010n, 990n],
      [price(5, 2), 2525n, 2475n],
      [price(2, 5), 404n, 396n],
      [price(7, 3), 2356n, 2310n],
      [price(3, 7), 432n, 425n],
    ];
    for (const [at, high, low] of lines) {
      const bounded = (sent: bigint, who: 'neither' | 'maker' = 'neither') =>
        isPriceErrorBounded(at, { received: 1000n, sent }, who);
      assert.deepEqual(
        [bounded(high + 1n), bounded(high), bounded(low), bounded(low - 1n)],
        [false, true, true, false],
      );
      assert.deepEqual([bounded(high + 1n, 'maker'), bounded(low - 1n, 'maker')], [true, false]);
    }
  });
});

describe('A path payment sends or receives to the stroop, at the cost of the taker', () => {
  it('receives amounts that an offer would not have traded', () => {
    const limits = { makerSend: 28n, takerReceive: 27n };
    assert.deepEqual(cross(price(3, 2), limits, 'strictReceive'), [27n, 41n, true]);
  });

  it('receives all of it where the price is below one', () => {
    const limits = { makerSend: 150n, takerReceive: 101n };
    assert.deepEqual(cross(price(2, 3), limits), [100n, 67n, true]);
    assert.deepEqual(cross(price(2, 3), limits, 'strictReceive'), [101n, 68n, true]);
  });

  it('sends all of it', () => {
    const limits = { makerSend: 97n, takerSend: 145n };
    assert.deepEqual(cross(price(3, 2), limits), [96n, 144n, true]);
    assert.deepEqual(cross(price(3, 2), limits, 'strictSend'), [96n, 145n, true]);
  });

  it('sends even if that buys nothing', () => {
    const limits = { makerSend: 1n, takerSend: 1n };
    assert.deepEqual(cross(price(2, 1), limits), [0n, 0n, true]);
    assert.deepEqual(cross(price(2, 1), limits, 'strictSend'), [0n, 1n, true]);
  });
});

describe('An offer is adjusted to what its owner can send and receive', () => {
  it('by the asset sold', () => {
    assert.equal(adjustedOfferAmount(price(1, 1000), 2001n, MAX), 2000n);
    assert.equal(adjustedOfferAmount(price(1, 1000), 1999n, MAX), 1000n);
    assert.equal(adjustedOfferAmount(price(1000, 1), 401n, MAX), 401n);
    assert.equal(adjustedOfferAmount(price(3, 7), 1000n, MAX), 999n);
  });

  it('by the asset bought', () => {
    assert.equal(adjustedOfferAmount(price(1, 1000), 2000n, 1n), 1000n);
    assert.equal(adjustedOfferAmount(price(1000, 1), 400n, 399_999n), 399n);
    assert.equal(adjustedOfferAmount(price(7, 3), 428n, 998n), 427n);
    assert.equal(adjustedOfferAmount(price(3, 7), 1000n, 427n), 997n);
  });

  it('to nothing if it is too small to trade within 1 %', () => {
    const left = [29n, 28n, 27n, 26n, 51n].map((amount) =>
      adjustedOfferAmount(price(3, 2), amount, MAX),
    );
    assert.deepEqual(left, [0n, 28n, 0n, 26n, 51n]);
  });
});

const int32 = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const prices = fc
  .oneof(
    fc.tuple(int32, int32),
    fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })),
  )
  .map(([n, d]) => price(n, d));
const amounts = fc.oneof(fc.bigInt(1n, MAX), fc.bigInt(1n, 1000n), fc.constant(MAX));
const limits = fc.record({
  makerSend: amounts,
  makerReceive: amounts,
  takerSend: amounts,
  takerReceive: amounts,
});

describe('Whatever the price and the limits', () => {
  it('an exchange stays within all limits and never favours the smaller side', () => {
    fc.assert(
      fc.property(prices, limits, (at, bounds) => {
        const { received, sent, makerStays } = exchange(at, bounds, 'offer');
        assert.ok(received <= bounds.makerSend && received <= bounds.takerReceive);
        assert.ok(sent <= bounds.takerSend && sent <= bounds.makerReceive);
        assert.equal(received === 0n, sent === 0n);
        const paid = sent * BigInt(at.d);
        const due = received * BigInt(at.n);
        assert.ok(makerStays ? paid >= due : paid <= due);
        assert.ok(100n * (paid > due ? paid - due : due - paid) <= due);
      }),
      { numRuns: 5000 },
    );
  });

  it('rounding costs a side less than one unit of what it sends or receives', () => {
    fc.assert(
      fc.property(prices, limits, (at, bounds) => {
        const { received, sent } = exchangeAnyError(at, bounds, 'offer');
        const [n, d] = [BigInt(at.n), BigInt(at.d)];
        const error = sent * d - received * n;
        assert.ok((error < 0n ? -error : error) < (n > d ? n : d));
      }),
      { numRuns: 5000 },
    );
  });

  it('a strict receive that the maker can serve receives exactly the requested amount', () => {
    fc.assert(
      fc.property(prices, limits, (at, { makerSend, makerReceive, takerReceive }) => {
        const adjusted = adjustedOfferAmount(at, makerSend, makerReceive);
        fc.pre(adjusted > 0n);
        const result = exchange(
          at,
          { makerSend: adjusted, makerReceive, takerSend: MAX, takerReceive },
          'strictReceive',
        );
        if (result.makerStays) assert.equal(result.received, takerReceive);
      }),
      { numRuns: 5000 },
    );
  });

  it('a strict send either sends all or takes the whole offer, at no better than its price', () => {
    fc.assert(
      fc.property(prices, limits, (at, { makerSend, makerReceive, takerSend }) => {
        const adjusted = adjustedOfferAmount(at, makerSend, makerReceive);
        fc.pre(adjusted > 0n);
        const result = exchange(
          at,
          { makerSend: adjusted, makerReceive, takerSend, takerReceive: MAX },
          'strictSend',
        );
        if (!result.makerStays) return;
        assert.equal(result.sent, min(takerSend, makerReceive));
        assert.ok(result.sent * BigInt(at.d) >= result.received * BigInt(at.n));
      }),
      { numRuns: 5000 },
    );
  });

  it('an offer that was adjusted once is not adjusted again, and its liabilities fit', () => {
    fc.assert(
      fc.property(prices, amounts, amounts, (at, makerSend, makerReceive) => {
        const amount = adjustedOfferAmount(at, makerSend, makerReceive);
        assert.ok(amount <= makerSend);
        fc.pre(amount > 0n);
        assert.equal(adjustedOfferAmount(at, amount, makerReceive), amount);
        const liabilities = offerLiabilities(at, amount);
        assert.equal(liabilities.selling, amount);
        assert.ok(liabilities.buying <= makerReceive);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('Limits that no consistent ledger has', () => {
  it('are a fault, not a trade', () => {
    assert.throws(
      () => exchange(price(1, 1), { ...zero, takerReceive: MAX, makerSend: MAX }, 'strictSend'),
      (error) => error instanceof LedgerFault && error.code === 'exchange_unfair',
    );
    assert.throws(
      () => exchange(price(1, 1), { ...zero, makerSend: -1n }, 'offer'),
      (error) => error instanceof LedgerFault && error.code === 'exchange_out_of_bounds',
    );
  });
});

const zero = { makerSend: 0n, makerReceive: 0n, takerSend: 0n, takerReceive: 0n };
