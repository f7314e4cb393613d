import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StrKey, type xdr } from '@stellar/stellar-sdk';
import {
  assertLiabilitiesMatchOffers,
  NATIVE,
  receiveOp,
  sellOp,
  sendOp,
  TestMarket,
} from '../../../test/helpers/testMarket.ts';
import { changeTrustOp, setOptionsOp } from '../../../test/helpers/testOperations.ts';
import { accountNamed, credit, RESERVE, XLM } from '../../../test/helpers/testWorld.ts';
import { assetLineKeyId, INT64_MAX } from '../balances/index.ts';
import { rulesFor, succeeded } from './index.ts';

/** A market where `maker` sells EUR for USD and lumens for EUR. */
function twoHops(): {
  market: TestMarket;
  maker: xdr.PublicKey;
  alice: xdr.PublicKey;
  bob: xdr.PublicKey;
} {
  const market = new TestMarket();
  const { usd, eur } = market;
  const [maker, alice, bob] = [
    market.trader('maker'),
    market.trader('alice'),
    market.trader('bob'),
  ];
  market.must(maker, sellOp(eur, usd, 1000n, [2, 1]));
  market.must(maker, sellOp(eur, usd, 1000n, [3, 1]));
  market.must(maker, sellOp(NATIVE, eur, 10_000n, [1, 5]));
  return { market, maker, alice, bob };
}

describe('A strict receive delivers an exact amount for as little as the books ask', () => {
  it('over one hop', () => {
    const { market, maker, alice, bob } = twoHops();
    const { usd, eur } = market;
    const { claims, arrived } = market.pay(alice, receiveOp(usd, 2300n, bob, eur, 1100n));
    assert.deepEqual(claims, [
      [1n, 1000n, 2000n],
      [2n, 100n, 300n],
    ]);
    assert.equal(arrived, 1100n);
    assert.equal(market.balance(alice, usd), 1_000_000n - 2300n);
    assert.equal(market.balance(bob, eur), 1_000_000n + 1100n);
    assert.equal(market.balance(maker, usd), 1_000_000n + 2300n);
  });

  it('over several, with the claims in the order of the path', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const { claims } = market.pay(alice, receiveOp(usd, 9999n, bob, NATIVE, 5000n, [eur]));
    assert.deepEqual(claims, [
      [1n, 1000n, 2000n],
      [3n, 5000n, 1000n],
    ]);
    assert.equal(market.balance(alice, eur), 1_000_000n, 'what is only passed through stays');
  });

  it('steps over assets that repeat', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const { claims } = market.pay(alice, receiveOp(usd, 9999n, bob, eur, 10n, [usd, eur, eur]));
    assert.deepEqual(claims, [[1n, 10n, 20n]]);
  });

  it('but not for more than the maximum', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    assert.equal(market.one(alice, receiveOp(usd, 2299n, bob, eur, 1100n)), 'overSendmax');
  });

  it('and without a conversion it is a payment', () => {
    const { market, alice, bob } = twoHops();
    const { usd } = market;
    const { claims, arrived } = market.pay(alice, receiveOp(usd, 7n, bob, usd, 7n));
    assert.deepEqual([claims, arrived], [[], 7n]);
    assert.equal(market.one(alice, receiveOp(usd, 6n, bob, usd, 7n)), 'overSendmax');
  });
});

describe('A strict send spends an exact amount on as much as the books give', () => {
  it('over one hop', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const { claims, arrived } = market.pay(alice, sendOp(usd, 2301n, bob, eur, 1100n));
    assert.deepEqual(claims, [
      [1n, 1000n, 2000n],
      [2n, 100n, 301n],
    ]);
    assert.equal(arrived, 1100n);
    assert.equal(market.balance(alice, usd), 1_000_000n - 2301n);
  });

  it('over several', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const { claims, arrived } = market.pay(alice, sendOp(usd, 2000n, bob, NATIVE, 5000n, [eur]));
    assert.deepEqual(claims, [
      [1n, 1000n, 2000n],
      [3n, 5000n, 1000n],
    ]);
    assert.equal(arrived, 5000n);
  });

  it('but not for less than the minimum', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    assert.equal(market.one(alice, sendOp(usd, 2301n, bob, eur, 1101n)), 'underDestmin');
  });

  it('even where a hop gives nothing for it', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    assert.equal(market.one(alice, sendOp(usd, 1n, bob, eur, 1n)), 'underDestmin');
    assert.equal(market.one(alice, sendOp(usd, 1n, bob, NATIVE, 1n, [eur])), 'underDestmin');
  });
});

describe('A path payment is refused if it cannot be made', () => {
  it('malformed, whatever the ledger holds', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const bad = credit('!', alice);
    const refused = [
      receiveOp(usd, 0n, bob, eur, 1n),
      receiveOp(usd, 1n, bob, eur, 0n),
      receiveOp(bad, 1n, bob, eur, 1n),
      receiveOp(usd, 1n, bob, bad, 1n),
      receiveOp(usd, 1n, bob, eur, 1n, [bad]),
      sendOp(usd, 0n, bob, eur, 1n),
      sendOp(usd, 1n, bob, eur, 0n),
      sendOp(usd, 1n, bob, eur, 1n, [bad]),
    ];
    assert.deepEqual(
      refused.map((body) => market.one(alice, body)),
      refused.map(() => 'malformed'),
    );
  });

  it('too few offers', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    assert.equal(market.one(alice, receiveOp(usd, 9999n, bob, eur, 2001n)), 'tooFewOffers');
    assert.equal(market.one(alice, sendOp(usd, 5001n, bob, eur, 1n)), 'tooFewOffers');
    assert.equal(market.one(alice, sendOp(eur, 1n, bob, usd, 1n)), 'tooFewOffers');
  });

  it('an own offer on the way', () => {
    const { market, maker, bob } = twoHops();
    const { usd, eur } = market;
    assert.equal(market.one(maker, receiveOp(usd, 9999n, bob, eur, 1n)), 'offerCrossSelf');
    assert.equal(market.one(maker, sendOp(usd, 10n, bob, eur, 1n)), 'offerCrossSelf');
  });

  it('no destination, unless an asset goes straight back to its issuer', () => {
    const { market, alice } = twoHops();
    const { usd, eur } = market;
    const nobody = accountNamed('nobody');
    const gone = credit('GON', nobody);
    assert.equal(market.one(alice, receiveOp(usd, 1n, nobody, usd, 1n)), 'noDestination');
    assert.equal(market.one(alice, sendOp(usd, 1n, nobody, usd, 1n)), 'noDestination');
    assert.equal(market.one(alice, receiveOp(usd, 1n, nobody, gone, 1n)), 'noDestination');
    assert.equal(market.one(alice, receiveOp(gone, 1n, nobody, gone, 1n, [eur])), 'noDestination');
    assert.equal(market.one(alice, receiveOp(gone, 1n, nobody, gone, 1n)), 'srcNoTrust');
    assert.equal(market.one(alice, sendOp(gone, 1n, nobody, gone, 1n)), 'srcNoTrust');
  });

  it('the destination first in a strict receive, the source first in a strict send', () => {
    const { market, alice } = twoHops();
    const { usd, eur } = market;
    const poor = market.account('poor', 100n * XLM);
    assert.equal(market.one(poor, receiveOp(usd, 1n, poor, eur, 1n)), 'noTrust');
    assert.equal(market.one(poor, sendOp(usd, 1n, poor, eur, 1n)), 'srcNoTrust');
    assert.equal(market.one(alice, sendOp(usd, 10n, poor, eur, 1n)), 'noTrust');
    market.must(poor, changeTrustOp(eur, 4n));
    assert.equal(market.one(alice, receiveOp(usd, 10n, poor, eur, 5n)), 'lineFull');
    assert.equal(market.one(alice, sendOp(usd, 10n, poor, eur, 1n)), 'lineFull');
    assert.equal(market.one(poor, receiveOp(usd, 10n, alice, eur, 1n)), 'srcNoTrust');
  });

  it('not enough to send', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const spendable = market.balance(alice, NATIVE) - 4n * RESERVE;
    assert.equal(
      market.one(alice, receiveOp(NATIVE, INT64_MAX, bob, NATIVE, spendable + 1n)),
      'underfunded',
    );
    assert.equal(market.one(alice, sendOp(NATIVE, spendable + 1n, bob, NATIVE, 1n)), 'underfunded');
    assert.equal(market.one(alice, sendOp(usd, 1_000_001n, bob, eur, 1n)), 'underfunded');
    assert.equal(market.one(alice, sendOp(NATIVE, spendable, bob, NATIVE, 1n)), 'success');
  });

  it('without authorization on either side', () => {
    const { market, alice, bob } = twoHops();
    const strict = market.account('strict', 100n * XLM);
    market.must(strict, setOptionsOp({ setFlags: 1 }));
    const abc = credit('ABC', strict);
    market.must(alice, changeTrustOp(abc, 1000n));
    assert.equal(market.one(strict, receiveOp(abc, 1n, alice, abc, 1n)), 'notAuthorized');
    assert.equal(market.one(strict, sendOp(abc, 1n, alice, abc, 1n)), 'notAuthorized');
    assert.equal(market.one(alice, receiveOp(abc, 1n, strict, abc, 1n)), 'srcNotAuthorized');
    assert.equal(market.one(alice, sendOp(abc, 1n, bob, abc, 1n)), 'srcNotAuthorized');
  });
});

describe('All hops of a path payment share 1000 offers', () => {
  const setUp = (first: number, second: number) => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const [one, two, alice] = [market.trader('one'), market.trader('two'), market.trader('alice')];
    const abc = credit('ABC', market.issuer);
    for (const owner of [two, alice]) market.must(owner, changeTrustOp(abc, 10_000n));
    market.putOffers(one, eur, usd, first);
    market.putLineBalance(two, abc, 5000n);
    market.putOffers(two, abc, eur, second);
    const pay = (amount: bigint) => [
      market.one(alice, receiveOp(usd, amount, alice, abc, amount, [eur])),
      market.one(alice, sendOp(usd, amount, alice, abc, amount, [eur])),
    ];
    return { market, pay };
  };

  it('one more is too much work', () => {
    const { pay } = setUp(501, 501);
    assert.deepEqual(pay(501n), ['opExceededWorkLimit', 'opExceededWorkLimit']);
    assert.equal(pay(500n)[0], 'success');
  });

  it('a hop that finds none left is too much work', () => {
    const { pay } = setUp(1000, 1000);
    assert.deepEqual(pay(1000n), ['opExceededWorkLimit', 'opExceededWorkLimit']);
  });

  it('even a hop whose market is empty, once none are left', () => {
    const { market, pay } = setUp(1000, 0);
    const { usd, eur } = market;
    const alice = market.trader('carol');
    const abc = credit('ABC', market.issuer);
    market.must(alice, changeTrustOp(abc, 10_000n));
    assert.equal(pay(999n)[1], 'tooFewOffers');
    assert.equal(
      market.one(alice, sendOp(usd, 1000n, alice, abc, 1n, [eur])),
      'opExceededWorkLimit',
    );
  });
});

describe('Path payments', () => {
  it('remove offers that touch a frozen key from the book', () => {
    const { market, maker, alice, bob } = twoHops();
    const { usd, eur } = market;
    market.must(bob, sellOp(eur, usd, 1000n, [4, 1]));
    const frozen = [assetLineKeyId(maker, usd)];
    const result = market.whileFrozen(frozen, alice, receiveOp(usd, 9999n, alice, eur, 100n));
    assert.ok(succeeded(result));
    assertLiabilitiesMatchOffers(market.entries());
    assert.deepEqual(
      market.offers().map(({ offerId, amount }) => [offerId, amount]),
      [
        [3n, 10_000n],
        [4n, 900n],
      ],
    );
  });

  it('report in their events the trades they made, then what arrived', () => {
    const { market, alice, bob } = twoHops();
    const { usd, eur } = market;
    const { events } = market.apply([alice, receiveOp(usd, 9999n, bob, eur, 1n)]);
    const issuer = StrKey.encodeEd25519PublicKey(market.issuer.ed25519.value);
    assert.deepEqual(
      events.map(({ body }) => (body.v0.topics[3]?.value ?? '').toString()),
      ['USD', 'EUR', 'EUR'].map((code) => `${code}:${issuer}`),
    );
  });

  it('ask for medium weight', () => {
    const { market, alice } = twoHops();
    for (const body of [
      receiveOp(market.usd, 1n, alice, market.eur, 1n),
      sendOp(market.usd, 1n, alice, market.eur, 1n),
    ]) {
      assert.equal(rulesFor(body.type)?.threshold(body), 'medium');
    }
  });
});
