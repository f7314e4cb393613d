import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  assertLiabilitiesMatchOffers,
  buyOp,
  NATIVE,
  sellOp,
  TestMarket,
} from '../../../test/helpers/testMarket.ts';
import { changeTrustOp } from '../../../test/helpers/testOperations.ts';
import { RESERVE } from '../../../test/helpers/testWorld.ts';
import { accountKeyId, type LedgerKeyId } from '../../state/index.ts';
import { assetLineKeyId, LedgerFault } from '../balances/index.ts';
import { succeeded } from './index.ts';

describe('One operation crosses 1000 offers and no more', () => {
  const market = new TestMarket();
  const { usd, eur } = market;
  const maker = market.trader('maker', 100_000n);
  const taker = market.trader('taker', 100_000n);
  market.putOffers(maker, eur, usd, 1001);

  it('1001 are too much work, and nothing changes', () => {
    const before = market.state.stateHash();
    assert.equal(market.one(taker, sellOp(usd, eur, 1001n)), 'opExceededWorkLimit');
    assert.equal(market.one(taker, buyOp(usd, eur, 1001n)), 'opExceededWorkLimit');
    assert.deepEqual(market.state.stateHash(), before);
  });

  it('1000 are not', () => {
    const { claims, effect } = market.trade(taker, sellOp(usd, eur, 1000n));
    assert.equal(claims.length, 1000);
    assert.equal(effect, 'manageOfferDeleted');
    assert.equal(market.offers().length, 1);
  });
});

describe('Offers that touch a frozen key are removed from the book (CAP-77)', () => {
  const crossed = (frozen: (market: TestMarket, maker: xdr.PublicKey) => LedgerKeyId) => {
    const market = new TestMarket();
    const { usd } = market;
    const [maker, other] = [market.trader('maker'), market.trader('other')];
    market.must(maker, sellOp(usd, NATIVE, 100n));
    market.must(other, sellOp(usd, NATIVE, 100n));
    const taker = market.trader('taker');
    const result = market.whileFrozen([frozen(market, maker)], taker, sellOp(NATIVE, usd, 50n));
    assert.ok(succeeded(result));
    assertLiabilitiesMatchOffers(market.entries());
    assert.equal(market.balance(taker, usd), 1_000_050n);
    return market.offers().map(({ amount }) => amount);
  };

  it('where a trustline of their owner is frozen', () => {
    assert.deepEqual(
      crossed((market, maker) => assetLineKeyId(maker, market.usd)),
      [50n],
    );
  });

  it('where their owner is frozen and trades lumens', () => {
    assert.deepEqual(
      crossed((_, maker) => accountKeyId(maker)),
      [50n],
    );
  });

  it('but not where another line of their owner is frozen', () => {
    assert.deepEqual(
      crossed((market, maker) => assetLineKeyId(maker, market.eur)),
      [50n, 100n],
    );
  });

  it('but not where their price ends the crossing first', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [maker, taker] = [market.trader('maker'), market.trader('taker')];
    market.must(maker, sellOp(usd, eur, 100n, [2, 1]));
    const frozen = [assetLineKeyId(maker, usd)];
    assert.ok(succeeded(market.whileFrozen(frozen, taker, sellOp(eur, usd, 100n))));
    assert.equal(market.offers().length, 2);
  });

  it('and cost no work', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [maker, other] = [market.trader('maker'), market.trader('other')];
    const taker = market.trader('taker');
    market.putOffers(maker, eur, usd, 1000);
    market.must(other, sellOp(eur, usd, 1000n, [11, 10]));
    const frozen = [assetLineKeyId(maker, usd)];
    const result = market.whileFrozen(frozen, taker, sellOp(usd, eur, 1100n, [10, 11]));
    assert.ok(succeeded(result));
    assert.deepEqual(market.offers(), []);
    assert.equal(market.get(maker).numSubEntries, 2);
  });
});

describe('An offer whose owner fell below a raised reserve', () => {
  it('is a contradiction in the ledger, because its liabilities cannot be released', () => {
    const market = new TestMarket();
    const alice = market.account('alice', 4n * RESERVE + 100n);
    market.must(alice, changeTrustOp(market.usd, 1000n));
    market.must(alice, sellOp(NATIVE, market.usd, 100n));
    const { header } = market.state;
    market.state.header = new xdr.LedgerHeader({ ...header, baseReserve: 2 * Number(RESERVE) });
    assert.throws(
      () => market.apply([market.issuer, sellOp(market.usd, NATIVE, 50n)]),
      (error) => error instanceof LedgerFault && error.code === 'offer_liabilities',
    );
  });
});
