import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { assertCountersMatchEntries } from '../../../test/helpers/testInvariants.ts';
import { NATIVE, sellOp, TestMarket } from '../../../test/helpers/testMarket.ts';
import { beginOp, endOp } from '../../../test/helpers/testOperations.ts';
import { RESERVE } from '../../../test/helpers/testWorld.ts';
import { LedgerTxn } from '../../state/index.ts';
import { LedgerFault } from '../balances/index.ts';
import { settleOffersAfterRaisedReserve } from './index.ts';

/** Doubles the base reserve, and answers with the changes that the ledger records for it. */
function doubleReserve(market: TestMarket): xdr.LedgerEntryChange[] {
  const ltx = new LedgerTxn(market.state);
  ltx.header = new xdr.LedgerHeader({ ...ltx.header, baseReserve: 2 * Number(RESERVE) });
  settleOffersAfterRaisedReserve(ltx);
  const changes = ltx.changes();
  ltx.commit();
  assertCountersMatchEntries(market.entries());
  return changes;
}

/** Two offers in each direction between lumens and both assets: twelve, of 1000 at two to one. */
function makeOffers(market: TestMarket, owner: xdr.PublicKey): void {
  const assets = [NATIVE, market.usd, market.eur];
  for (const selling of assets) {
    for (const buying of assets) {
      if (selling === buying) continue;
      for (let n = 0; n < 2; n++) market.must(owner, sellOp(selling, buying, 1000n, [2, 1]));
    }
  }
}

/** With so much above twice the reserve of an account with two lines and twelve offers. */
function traderWith(market: TestMarket, name: string, above: bigint): xdr.PublicKey {
  return market.trader(name, 4000n, 2n * 16n * RESERVE + above);
}

describe('A raised base reserve', () => {
  it('removes all lumen offers of an account that cannot pay for all of them', () => {
    const market = new TestMarket();
    const { usd, eur } = market;
    const poor = traderWith(market, 'poor', 3999n);
    makeOffers(market, poor);
    doubleReserve(market);
    assert.equal(market.offers().length, 8);
    assert.deepEqual(market.liabilities(poor, NATIVE), { buying: 8000n, selling: 0n });
    for (const asset of [usd, eur]) {
      assert.deepEqual(market.liabilities(poor, asset), { buying: 4000n, selling: 4000n });
    }
    market.checkLiabilities();
  });

  it('keeps the offers of an account that can', () => {
    const market = new TestMarket();
    const rich = traderWith(market, 'rich', 4000n);
    makeOffers(market, rich);
    const changes = doubleReserve(market);
    assert.equal(market.offers().length, 12);
    market.checkLiabilities();
    const recorded = changes.flatMap((change) =>
      change.type === 'ledgerEntryUpdated' ? [change.value.data.type] : [],
    );
    assert.equal(recorded.filter((type) => type === 'offer').length, 12, 'all are recorded');
    assert.equal(recorded.filter((type) => type === 'account').length, 1);
    assert.equal(recorded.filter((type) => type === 'trustline').length, 2);
  });

  it('judges every account by its reserve before any offer was removed', () => {
    const market = new TestMarket();
    const { usd } = market;
    // Once one of its two offers is gone it could pay for the other.
    const poor = market.trader('poor', 4000n, 2n * 6n * RESERVE + 199n);
    market.must(poor, sellOp(NATIVE, usd, 100n));
    market.must(poor, sellOp(NATIVE, usd, 100n));
    doubleReserve(market);
    assert.deepEqual(market.offers(), []);
  });

  it('returns a removed offer’s reserve to its sponsor', () => {
    const market = new TestMarket();
    const poor = market.trader('poor', 4000n, 2n * 4n * RESERVE + 99n);
    const sponsor = market.account('sponsor', 100n * RESERVE);
    market.apply(
      [sponsor, beginOp(poor)],
      [poor, sellOp(NATIVE, market.usd, 100n)],
      [poor, endOp()],
    );
    assert.equal(market.offers().length, 1);
    doubleReserve(market);
    assert.equal(market.offers().length, 0);
  });

  it('is a contradiction if an account below it would have to give up liabilities', () => {
    const market = new TestMarket();
    const poor = market.trader('poor', 4000n, 6n * RESERVE + 100n);
    market.must(poor, sellOp(NATIVE, market.usd, 100n));
    market.must(poor, sellOp(market.usd, NATIVE, 100n, [2, 1]));
    assert.throws(
      () => doubleReserve(market),
      (error) => error instanceof LedgerFault && error.code === 'offer_liabilities',
    );
  });
});
