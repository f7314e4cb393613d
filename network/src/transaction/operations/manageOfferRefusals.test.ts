import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { buyOp, NATIVE, passiveOp, sellOp, TestMarket } from '../../../test/helpers/testMarket.ts';
import {
  beginOp,
  changeTrustOp,
  endOp,
  setOptionsOp,
} from '../../../test/helpers/testOperations.ts';
import { credit, RESERVE, XLM } from '../../../test/helpers/testWorld.ts';
import { INT64_MAX } from '../balances/index.ts';

describe('A request is refused for its first fault, in this order', () => {
  const market = new TestMarket();
  const { usd, eur, issuer } = market;
  const alice = market.trader('alice', 1000n);

  it('malformed, whatever the ledger holds', () => {
    const bad = credit('!', issuer);
    const refused = [
      sellOp(bad, usd, 1n),
      sellOp(usd, bad, 1n),
      sellOp(usd, usd, 1n),
      sellOp(usd, eur, -1n),
      sellOp(usd, eur, 1n, [0, 1]),
      sellOp(usd, eur, 1n, [1, -1]),
      sellOp(usd, eur, 0n),
      sellOp(usd, eur, 1n, [1, 1], -1n),
      buyOp(usd, eur, -1n),
      buyOp(usd, eur, 0n),
      buyOp(usd, eur, 1n, [1, 0]),
      passiveOp(usd, eur, 0n),
      passiveOp(usd, usd, 1n),
    ];
    assert.deepEqual(
      refused.map((body) => market.one(alice, body)),
      refused.map(() => 'malformed'),
    );
  });

  it('no trustline to sell from, then nothing on it, then none to buy to', () => {
    const bob = market.account('bob', 100n * XLM);
    assert.equal(market.one(bob, sellOp(usd, eur, 1n)), 'sellNoTrust');
    assert.equal(market.one(bob, buyOp(usd, eur, 1n)), 'sellNoTrust');
    market.must(bob, changeTrustOp(usd, 1000n));
    assert.equal(market.one(bob, sellOp(usd, eur, 1n)), 'underfunded');
    assert.equal(market.one(bob, sellOp(NATIVE, eur, 1n)), 'buyNoTrust');
    assert.equal(market.one(bob, buyOp(NATIVE, eur, 1n)), 'buyNoTrust');
  });

  it('not authorized to sell, then to buy, before the offer is looked for', () => {
    const strict = market.account('strict', 100n * XLM);
    market.must(strict, setOptionsOp({ setFlags: 1 }));
    const abc = credit('ABC', strict);
    market.must(alice, changeTrustOp(abc, 1000n));
    assert.equal(market.one(alice, sellOp(usd, abc, 1n, [1, 1], 77n)), 'buyNotAuthorized');
    assert.equal(market.one(alice, sellOp(usd, eur, 1n, [1, 1], 77n)), 'notFound');
    const line = market.line(alice, abc) ?? assert.fail();
    market.putEntry(
      xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...line, balance: 1n })),
    );
    assert.equal(market.one(alice, sellOp(abc, usd, 1n, [1, 1], 77n)), 'sellNotAuthorized');
    assert.equal(market.one(alice, buyOp(abc, usd, 1n, [1, 1], 77n)), 'sellNotAuthorized');
  });

  it('no room for what the whole offer buys', () => {
    const bob = market.account('small', 100n * XLM);
    market.must(bob, changeTrustOp(usd, 1000n));
    assert.equal(market.one(bob, sellOp(NATIVE, usd, 1001n)), 'lineFull');
    assert.equal(market.one(bob, buyOp(NATIVE, usd, 1001n)), 'lineFull');
    market.must(bob, sellOp(NATIVE, usd, 600n));
    assert.equal(market.one(bob, sellOp(NATIVE, usd, 401n)), 'lineFull');
    assert.equal(market.one(bob, sellOp(NATIVE, usd, 400n)), 'success');
    const rich = market.account('rich', INT64_MAX - 10n);
    market.must(rich, changeTrustOp(usd, 1000n));
    assert.equal(market.one(issuer, sellOp(usd, NATIVE, 1n)), 'success');
    market.putEntry(
      xdr.LedgerEntryData.trustline(
        new xdr.TrustLineEntry({ ...(market.line(rich, usd) ?? assert.fail()), balance: 100n }),
      ),
    );
    assert.equal(market.one(rich, sellOp(usd, NATIVE, 11n, [3, 1])), 'lineFull');
  });

  it('no room at all, though the whole offer would be rounded to buying nothing', () => {
    const bob = market.trader('full', 1000n);
    market.must(bob, changeTrustOp(usd, 1000n));
    assert.equal(market.one(bob, sellOp(eur, usd, 1n, [1, 2])), 'lineFull');
    market.must(bob, changeTrustOp(usd, 1001n));
    assert.equal(market.trade(bob, sellOp(eur, usd, 1n, [1, 2])).effect, 'manageOfferDeleted');
  });

  it('not enough for what the whole offer sells', () => {
    assert.equal(market.one(alice, sellOp(usd, eur, 1001n)), 'underfunded');
    assert.equal(market.one(alice, buyOp(usd, eur, 501n, [2, 1])), 'underfunded');
    market.must(alice, sellOp(usd, eur, 600n, [3, 1]));
    assert.equal(market.one(alice, sellOp(usd, NATIVE, 401n)), 'underfunded');
    assert.equal(market.one(alice, sellOp(usd, NATIVE, 400n)), 'success');
  });
});

describe('The reserve of a new offer is paid before anything is traded', () => {
  it('and its amount cannot be sold', () => {
    const market = new TestMarket();
    const alice = market.account('alice', 4n * RESERVE + 100n);
    market.must(alice, changeTrustOp(market.usd, 1000n));
    assert.equal(market.one(alice, sellOp(NATIVE, market.usd, 101n)), 'underfunded');
    assert.equal(market.one(alice, sellOp(NATIVE, market.usd, 100n)), 'success');
    assert.equal(market.one(alice, sellOp(NATIVE, market.usd, 1n, [9, 1])), 'lowReserve');
    assert.equal(market.one(alice, buyOp(NATIVE, market.usd, 1n, [9, 1])), 'lowReserve');
  });

  it('even if the offer would trade completely at once', () => {
    const market = new TestMarket();
    const alice = market.account('alice', 3n * RESERVE);
    market.must(alice, changeTrustOp(market.usd, 1000n));
    market.must(market.issuer, sellOp(market.usd, NATIVE, 100n));
    assert.equal(market.one(alice, buyOp(NATIVE, market.usd, 100n)), 'lowReserve');
  });

  it('by the sponsor, where there is one, until the offer is taken', () => {
    const market = new TestMarket();
    const { usd } = market;
    const alice = market.account('alice', 3n * RESERVE + 100n);
    market.must(alice, changeTrustOp(usd, 1000n));
    const sponsor = market.account('sponsor', 3n * RESERVE);
    const { results } = market.apply(
      [sponsor, beginOp(alice)],
      [alice, sellOp(NATIVE, usd, 100n)],
      [alice, endOp()],
    );
    assert.deepEqual(results, ['success', 'success', 'success']);
    const { ext } = market.get(sponsor);
    assert.ok(ext.type === 'v1' && ext.v1.ext.type === 'v2');
    assert.equal(ext.v1.ext.v2.numSponsoring, 1);

    const id = market.offers()[0]?.offerId;
    market.must(alice, sellOp(NATIVE, usd, 90n, [2, 1], id));
    const entry = market.entries().find(({ data }) => data.type === 'offer');
    assert.ok(entry?.ext.type === 'v1' && entry.ext.v1.sponsoringId !== null, 'still sponsored');

    market.must(market.issuer, sellOp(usd, NATIVE, 180n, [1, 2]));
    assert.deepEqual(market.offers(), []);
    const after = market.get(sponsor).ext;
    assert.ok(after.type === 'v1' && after.v1.ext.type === 'v2');
    assert.equal(after.v1.ext.v2.numSponsoring, 0);
  });

  it('and no account has more than 1000 sub-entries', () => {
    const market = new TestMarket();
    const alice = market.trader('alice');
    const { usd, eur } = market;
    market.putOffers(alice, eur, usd, 997);
    assert.equal(market.one(alice, sellOp(usd, eur, 1n, [5, 1])), 'success');
    assert.equal(market.one(alice, sellOp(usd, eur, 1n, [5, 1])), 'opTooManySubentries');
    assert.equal(market.one(alice, buyOp(usd, eur, 1n, [1, 5])), 'opTooManySubentries');
  });
});
