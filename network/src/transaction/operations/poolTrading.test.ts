import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  buyOp,
  depositOp,
  NATIVE,
  receiveOp,
  sellOp,
  sendOp,
  TestMarket,
} from '../../../test/helpers/testMarket.ts';
import { changeTrustOp, poolOf } from '../../../test/helpers/testOperations.ts';
import { INT64_MAX } from '../balances/index.ts';
import { poolIdOfAssets } from '../exchange/index.ts';

/** A market with a pool of a million EUR and a million USD, and three traders. */
function withPool(): { market: TestMarket; maker: xdr.PublicKey; alice: xdr.PublicKey } {
  const market = new TestMarket();
  const [maker, alice] = [market.trader('maker', 10_000_000n), market.trader('alice')];
  market.must(maker, changeTrustOp(poolOf(market.eur, market.usd), INT64_MAX));
  market.must(maker, depositOp(poolIdOfAssets(market.usd, market.eur), 1_000_000n, 1_000_000n));
  return { market, maker, alice };
}

describe('A path payment takes the pool unless the book is strictly better', () => {
  it('the pool where there is no book', () => {
    const { market, alice } = withPool();
    const { usd, eur } = market;
    assert.deepEqual(market.pay(alice, receiveOp(usd, 9999n, alice, eur, 1000n)).claims, [
      ['pool', 1000n, 1005n],
    ]);
    assert.deepEqual(market.pay(alice, sendOp(eur, 1000n, alice, usd, 1n)).claims, [
      ['pool', 998n, 1000n],
    ]);
    const { reserveA, reserveB } = market.pool(eur, usd);
    assert.deepEqual([reserveA, reserveB], [1_000_000n, 1_000_007n]);
  });

  it('the book where it is better', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.must(maker, sellOp(eur, usd, 5000n, [1, 1]));
    assert.deepEqual(market.pay(alice, receiveOp(usd, 9999n, alice, eur, 1000n)).claims, [
      [1n, 1000n, 1000n],
    ]);
    assert.deepEqual(market.pay(alice, sendOp(usd, 1000n, alice, eur, 1n)).claims, [
      [1n, 1000n, 1000n],
    ]);
  });

  it('the pool where both give the same', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.must(maker, sellOp(eur, usd, 5000n, [1005, 1000]));
    const { claims } = market.pay(alice, receiveOp(usd, 9999n, alice, eur, 1000n));
    assert.deepEqual(claims, [['pool', 1000n, 1005n]]);
  });

  it('the pool if the book cannot do all of it', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.must(maker, sellOp(eur, usd, 999n, [1, 2]));
    const { claims } = market.pay(alice, receiveOp(usd, 9999n, alice, eur, 1000n));
    assert.deepEqual(claims, [['pool', 1000n, 1005n]]);
  });

  it('the pool if one’s own offer is in the way', () => {
    const { market, alice } = withPool();
    const { usd, eur } = market;
    market.must(alice, sellOp(eur, usd, 999n, [1, 2]));
    const { claims } = market.pay(alice, sendOp(usd, 1000n, alice, eur, 1n));
    assert.deepEqual(claims, [['pool', 996n, 1000n]]);
  });

  it('hop by hop', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.must(maker, sellOp(NATIVE, eur, 5000n, [1, 1]));
    const { claims } = market.pay(alice, receiveOp(usd, 9999n, alice, NATIVE, 1000n, [eur]));
    assert.deepEqual(claims, [
      ['pool', 1000n, 1005n],
      [1n, 1000n, 1000n],
    ]);
  });
});

describe('The one that is not used leaves no trace', () => {
  const touched = (market: TestMarket, source: xdr.PublicKey, body: xdr.OperationBody) =>
    market
      .changesOf(source, body)
      .flatMap((change) => (change.type === 'ledgerEntryUpdated' ? [change.value.data.type] : []))
      .sort();

  it('the book', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.must(maker, sellOp(eur, usd, 5000n, [2, 1]));
    assert.deepEqual(touched(market, alice, receiveOp(usd, 9999n, alice, eur, 1000n)), [
      'liquidityPool',
      'trustline',
      'trustline',
    ]);
  });

  it('the pool', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.must(maker, sellOp(eur, usd, 5000n, [1, 1]));
    assert.deepEqual(touched(market, alice, receiveOp(usd, 9999n, alice, eur, 1000n)), [
      'offer',
      'trustline',
      'trustline',
      'trustline',
      'trustline',
    ]);
  });

  it('but offers that were crossed in vain still count as work', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.putOffers(maker, eur, usd, 999);
    market.must(market.trader('other'), sellOp(eur, usd, 100_000n, [3, 1]));
    // The book gives 999 for 999 and the rest for three each: the pool is better, but the book took 1000.
    const pay = (amount: bigint) =>
      market.one(alice, receiveOp(usd, INT64_MAX, alice, eur, amount));
    assert.equal(pay(10_000n), 'opExceededWorkLimit');
  });

  it('and one hop less than the limit leaves room for the pool', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    market.putOffers(maker, eur, usd, 998);
    market.must(market.trader('other'), sellOp(eur, usd, 100_000n, [3, 1]));
    const { claims } = market.pay(alice, receiveOp(usd, INT64_MAX, alice, eur, 10_000n));
    assert.equal(claims[0]?.[0], 'pool');
  });
});

describe('A pool does not trade', () => {
  it('with offers', () => {
    const { market, maker, alice } = withPool();
    const { usd, eur } = market;
    assert.deepEqual(market.trade(alice, sellOp(usd, eur, 1000n, [1, 2])).claims, []);
    assert.deepEqual(market.trade(maker, buyOp(usd, eur, 1000n, [1, 2])).claims, []);
  });

  it('while it is empty', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const alice = market.trader('alice');
    market.must(alice, changeTrustOp(poolOf(eur, usd), INT64_MAX));
    assert.equal(market.one(alice, sendOp(usd, 1n, alice, eur, 1n)), 'tooFewOffers');
  });

  it('beyond its reserves', () => {
    const { market, alice } = withPool();
    const { usd, eur } = market;
    const pay = (amount: bigint) =>
      market.one(alice, receiveOp(usd, INT64_MAX, alice, eur, amount));
    assert.equal(pay(1_000_000n), 'tooFewOffers');
    assert.equal(pay(999_999n), 'underfunded');
  });

  it('while the network has switched trading off', () => {
    const { market, alice } = withPool();
    const { usd, eur } = market;
    const ext = xdr.LedgerHeaderExt.v1(
      new xdr.LedgerHeaderExtensionV1({ flags: 1, ext: xdr.LedgerHeaderExtensionV1Ext.v0() }),
    );
    market.state.header = new xdr.LedgerHeader({ ...market.state.header, ext });
    assert.equal(market.one(alice, sendOp(usd, 1000n, alice, eur, 1n)), 'tooFewOffers');
  });
});
