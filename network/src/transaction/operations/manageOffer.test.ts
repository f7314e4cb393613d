import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import { buyOp, NATIVE, passiveOp, sellOp, TestMarket } from '../../../test/helpers/testMarket.ts';
import { credit, XLM } from '../../../test/helpers/testWorld.ts';
import { rulesFor } from './index.ts';

const hex = (offer: xdr.OfferEntry | undefined): string | undefined => offer?.toXdr('hex');

describe('An offer that crosses nothing stays in the book', () => {
  const market = new TestMarket();
  const alice = market.trader('alice');
  const { usd, eur } = market;

  it('with an id from the pool of ids', () => {
    const before = market.state.header.idPool;
    const { effect, left, claims } = market.trade(alice, sellOp(usd, eur, 100n, [3, 2]));
    assert.equal(effect, 'manageOfferCreated');
    assert.deepEqual(claims, []);
    assert.equal(left?.offerId, before + 1n);
    assert.equal(market.state.header.idPool, before + 1n);
    assert.deepEqual(market.offers().map(hex), [left].map(hex));
  });

  it('with liabilities for what it sells and buys', () => {
    assert.deepEqual(market.liabilities(alice, usd), { buying: 0n, selling: 100n });
    assert.deepEqual(market.liabilities(alice, eur), { buying: 150n, selling: 0n });
  });

  it('with one reserve of its owner', () => {
    assert.equal(market.get(alice).numSubEntries, 3);
  });

  it('touches its owner, the owner’s lines, itself, but no offer that it only read', () => {
    const bob = market.trader('bob');
    const changes = market.changesOf(bob, sellOp(eur, usd, 50n, [1, 1]));
    const kinds = changes.flatMap((change) =>
      change.type === 'ledgerEntryUpdated' || change.type === 'ledgerEntryCreated'
        ? [`${change.type} ${change.value.data.type}`]
        : [],
    );
    assert.deepEqual(kinds.sort(), [
      'ledgerEntryCreated offer',
      'ledgerEntryUpdated account',
      'ledgerEntryUpdated trustline',
      'ledgerEntryUpdated trustline',
    ]);
  });
});

describe('An offer crosses existing offers, at their price', () => {
  it('best price first, then the oldest', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob] = [market.trader('alice'), market.trader('bob')];
    const dear = market.trade(alice, sellOp(eur, usd, 100n, [3, 2])).left?.offerId;
    const first = market.trade(alice, sellOp(eur, usd, 100n, [1, 1])).left?.offerId;
    const second = market.trade(alice, sellOp(eur, usd, 100n, [1, 1])).left?.offerId;
    const cheap = market.trade(alice, sellOp(eur, usd, 100n, [1, 2])).left?.offerId;

    const { effect, claims } = market.trade(bob, sellOp(usd, eur, 280n, [1, 2]));
    assert.equal(effect, 'manageOfferDeleted');
    assert.deepEqual(claims, [
      [cheap, 100n, 50n],
      [first, 100n, 100n],
      [second, 100n, 100n],
      [dear, 20n, 30n],
    ]);
    assert.equal(market.balance(bob, usd), 1_000_000n - 280n);
    assert.equal(market.balance(bob, eur), 1_000_000n + 320n);
    assert.deepEqual(
      market.offers().map(({ amount }) => amount),
      [80n],
    );
  });

  it('and leaves the rest in the book at its own price', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob] = [market.trader('alice'), market.trader('bob')];
    market.trade(alice, sellOp(eur, usd, 100n, [1, 1]));
    const { effect, left, claims } = market.trade(bob, sellOp(usd, eur, 250n, [1, 1]));
    assert.equal(effect, 'manageOfferCreated');
    assert.deepEqual(
      claims.map(([, sold]) => sold),
      [100n],
    );
    assert.equal(left?.amount, 150n);
    assert.equal(market.get(alice).numSubEntries, 2, 'the crossed offer gave its reserve back');
  });

  it('and a buy offer counts what it buys', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob] = [market.trader('alice'), market.trader('bob')];
    market.trade(alice, sellOp(eur, usd, 100n, [1, 2]));
    const { claims, left } = market.trade(bob, buyOp(usd, eur, 300n, [2, 3]));
    assert.deepEqual(
      claims.map((claim) => claim.slice(1)),
      [[100n, 50n]],
    );
    // 200 EUR are still to be bought, for 2/3 of a USD each: sold at 3/2 EUR.
    assert.deepEqual([left?.amount, left?.price.n, left?.price.d], [133n, 3, 2]);
  });

  it('but not at prices worse than its own', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob] = [market.trader('alice'), market.trader('bob')];
    market.trade(alice, sellOp(eur, usd, 100n, [101, 100]));
    assert.deepEqual(market.trade(bob, sellOp(usd, eur, 100n, [1, 1])).claims, []);
  });

  it('and claims an offer even if rounding keeps it from trading', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob] = [market.trader('alice'), market.trader('bob')];
    const { left } = market.trade(alice, sellOp(eur, usd, 28n, [3, 2]));
    const { claims } = market.trade(bob, buyOp(usd, eur, 27n, [3, 2]));
    assert.deepEqual(claims, [[left?.offerId, 0n, 0n]], 'crossed, though nothing moved');
    assert.deepEqual(
      market.offers().map(({ amount }) => amount),
      [28n],
    );
  });
});

describe('A passive offer does not cross offers of its own price', () => {
  it('from either side, while others do', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => market.trader(name)) as [
      xdr.PublicKey,
      xdr.PublicKey,
      xdr.PublicKey,
    ];
    market.trade(alice, passiveOp(usd, eur, 100n));
    const { left, claims } = market.trade(bob, passiveOp(eur, usd, 100n));
    assert.deepEqual(claims, []);
    assert.equal(left?.flags, 1);
    assert.equal(market.trade(carol, sellOp(eur, usd, 40n)).claims.length, 1);
    assert.equal(market.trade(carol, passiveOp(eur, usd, 40n, [99, 100])).claims.length, 1);
  });

  it('and stays passive when it is changed', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [alice, bob] = [market.trader('alice'), market.trader('bob')];
    const id = market.trade(alice, passiveOp(usd, eur, 100n, [2, 1])).left?.offerId;
    market.trade(bob, sellOp(eur, usd, 100n));
    const { effect, left, claims } = market.trade(alice, sellOp(usd, eur, 50n, [1, 1], id));
    assert.deepEqual([effect, left?.flags, claims.length], ['manageOfferUpdated', 1, 0]);
  });

  it('and its result is written as that of a sell offer', () => {
    const market = new TestMarket();
    const { raw } = market.apply([market.issuer, passiveOp(market.usd, market.eur, 100n)]);
    const [result] = raw;
    assert.ok(result?.type === 'opInner' && result.tr.type === 'manageSellOffer');
  });
});

describe('Nobody trades with themselves', () => {
  const market = new TestMarket();
  const { usd, eur } = market;
  const alice = market.trader('alice');
  const { left } = market.trade(alice, sellOp(eur, usd, 100n));

  it('an offer that would cross one’s own is refused, even if others were crossed before', () => {
    const bob = market.trader('bob');
    market.trade(bob, sellOp(eur, usd, 100n, [99, 100]));
    assert.equal(market.one(alice, sellOp(usd, eur, 150n)), 'crossSelf');
    assert.equal(market.offers().length, 2);
    assert.equal(market.trade(alice, sellOp(usd, eur, 90n)).claims.length, 1);
  });

  it('but an offer that is changed does not cross itself', () => {
    const changed = market.trade(alice, sellOp(usd, eur, 100n, [1, 1], left?.offerId));
    assert.equal(changed.effect, 'manageOfferUpdated');
    assert.equal(changed.left?.offerId, left?.offerId);
  });
});

describe('An offer can be changed and deleted by its owner', () => {
  const market = new TestMarket();
  const { usd, eur } = market;
  const alice = market.trader('alice');
  const id = market.trade(alice, sellOp(eur, usd, 100n)).left?.offerId ?? assert.fail();

  it('amount, price and assets can change, the id and the reserve stay', () => {
    const { left } = market.trade(alice, sellOp(NATIVE, usd, 7n * XLM, [5, 7], id));
    assert.deepEqual(market.offers().map(hex), [left].map(hex));
    assert.equal(left?.offerId, id);
    assert.equal(market.get(alice).numSubEntries, 3);
  });

  it('nobody else can', () => {
    const bob = market.trader('bob');
    assert.equal(market.one(bob, sellOp(eur, usd, 100n, [1, 1], id)), 'notFound');
    assert.equal(market.one(bob, sellOp(eur, usd, 0n, [1, 1], id)), 'notFound');
    assert.equal(market.one(alice, buyOp(eur, usd, 1n, [1, 1], id + 100n)), 'notFound');
  });

  it('an amount of zero deletes it, whatever assets are named', () => {
    const strange = credit('XXX', alice);
    const { effect } = market.trade(alice, buyOp(strange, NATIVE, 0n, [1, 1], id));
    assert.equal(effect, 'manageOfferDeleted');
    assert.deepEqual(market.offers(), []);
    assert.equal(market.get(alice).numSubEntries, 2);
  });

  it('a change that crosses all of it deletes it', () => {
    const bob = market.trader('carol');
    const own = market.trade(alice, sellOp(eur, usd, 100n, [2, 1])).left?.offerId;
    market.trade(bob, sellOp(usd, eur, 1000n));
    const { effect } = market.trade(alice, sellOp(eur, usd, 100n, [1, 1], own));
    assert.equal(effect, 'manageOfferDeleted');
    assert.equal(market.get(alice).numSubEntries, 2);
  });
});

describe('Offers', () => {
  it('ask for medium weight', () => {
    const { usd, eur } = new TestMarket();
    for (const body of [sellOp(usd, eur, 1n), buyOp(usd, eur, 1n), passiveOp(usd, eur, 1n)]) {
      assert.equal(rulesFor(body.type)?.threshold(body), 'medium');
    }
  });
});
