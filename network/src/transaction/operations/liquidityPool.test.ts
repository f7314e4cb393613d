import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import { depositOp, NATIVE, TestMarket, withdrawOp } from '../../../test/helpers/testMarket.ts';
import { changeTrustOp, poolOf } from '../../../test/helpers/testOperations.ts';
import { RESERVE, XLM } from '../../../test/helpers/testWorld.ts';
import { assetLineKeyId, INT64_MAX, poolIdOf, withPoolState } from '../balances/index.ts';
import { poolIdOfAssets } from '../exchange/index.ts';
import { rulesFor } from './index.ts';

/** A market with a pool of EUR and USD that alice can deposit into. */
class PoolMarket extends TestMarket {
  readonly parameters = poolOf(this.eur, this.usd);
  readonly poolId = poolIdOf(this.parameters);
  readonly alice = this.provider('alice');

  provider(name: string): xdr.PublicKey {
    const provider = this.trader(name);
    this.must(provider, changeTrustOp(this.parameters, INT64_MAX));
    return provider;
  }

  shares(owner: xdr.PublicKey): bigint {
    const asset = xdr.TrustLineAsset.assetTypePoolShare(this.poolId);
    const line = this.entries().find(
      ({ data }) =>
        data.type === 'trustline' &&
        Buffer.compare(data.trustLine.accountId.ed25519.value, owner.ed25519.value) === 0 &&
        Buffer.compare(data.trustLine.asset.toXdr(), asset.toXdr()) === 0,
    );
    return line?.data.type === 'trustline' ? line.data.trustLine.balance : assert.fail('no line');
  }

  reserves(): bigint[] {
    const { reserveA, reserveB, totalPoolShares } = this.pool(this.eur, this.usd);
    return [reserveA, reserveB, totalPoolShares];
  }

  switchOff(flags: number): void {
    const ext = xdr.LedgerHeaderExt.v1(
      new xdr.LedgerHeaderExtensionV1({ flags, ext: xdr.LedgerHeaderExtensionV1Ext.v0() }),
    );
    this.state.header = new xdr.LedgerHeader({ ...this.state.header, ext });
  }

  /** Puts other reserves behind the back of all rules. */
  putReserves(change: Parameters<typeof withPoolState>[1]): void {
    const entry = this.entries().find(({ data }) => data.type === 'liquidityPool');
    assert.ok(entry?.data.type === 'liquidityPool');
    const { liquidityPool } = entry.data;
    this.putEntry(xdr.LedgerEntryData.liquidityPool(withPoolState(liquidityPool, change)));
  }
}

describe('The first deposit sets the price of a pool', () => {
  it('and receives the geometric mean as shares', () => {
    const market = new PoolMarket();
    market.must(market.alice, depositOp(market.poolId, 400n, 900n));
    assert.deepEqual(market.reserves(), [400n, 900n, 600n]);
    assert.equal(market.shares(market.alice), 600n);
    assert.equal(market.balance(market.alice, market.eur), 1_000_000n - 400n);
    assert.equal(market.balance(market.alice, market.usd), 1_000_000n - 900n);
  });

  it('but only within the bounds given for it', () => {
    const market = new PoolMarket();
    const at = (low: [number, number], high: [number, number]) =>
      market.one(market.alice, depositOp(market.poolId, 400n, 900n, [low, high]));
    assert.equal(at([5, 9], [1, 1]), 'badPrice');
    assert.equal(at([1, 9], [3, 9]), 'badPrice');
    assert.equal(at([4, 9], [4, 9]), 'success');
  });
});

describe('A later deposit follows the price of the pool', () => {
  it('and takes amounts that both maxima pay for', () => {
    const market = new PoolMarket();
    const bob = market.provider('bob');
    market.must(market.alice, depositOp(market.poolId, 400n, 900n));
    market.must(bob, depositOp(market.poolId, 40n, 9000n));
    assert.deepEqual(market.reserves(), [440n, 990n, 660n]);
    assert.equal(market.shares(bob), 60n);
  });

  it('but not if it would give no share', () => {
    const market = new PoolMarket();
    market.must(market.alice, depositOp(market.poolId, 400_000n, 900_000n));
    assert.equal(market.one(market.alice, depositOp(market.poolId, 1n, 1n)), 'badPrice');
  });
});

describe('A deposit is refused for its first fault, in this order', () => {
  it('malformed, whatever the ledger holds', () => {
    const market = new PoolMarket();
    const { alice, poolId } = market;
    const refused = [
      depositOp(poolId, 0n, 1n),
      depositOp(poolId, 1n, 0n),
      depositOp(poolId, 1n, 1n, [
        [0, 1],
        [1, 1],
      ]),
      depositOp(poolId, 1n, 1n, [
        [1, 1],
        [1, 0],
      ]),
      depositOp(poolId, 1n, 1n, [
        [2, 1],
        [1, 1],
      ]),
      withdrawOp(poolId, 0n),
      withdrawOp(poolId, 1n, -1n),
      withdrawOp(poolId, 1n, 0n, -1n),
    ];
    assert.deepEqual(
      refused.map((body) => market.one(alice, body)),
      refused.map(() => 'malformed'),
    );
  });

  it('no trustline to the pool', () => {
    const market = new PoolMarket();
    const bob = market.trader('bob');
    assert.equal(market.one(bob, depositOp(market.poolId, 1n, 1n)), 'noTrust');
    assert.equal(market.one(bob, withdrawOp(market.poolId, 1n)), 'noTrust');
  });

  it('not authorized for one of the assets', () => {
    const market = new PoolMarket();
    const line = market.line(market.alice, market.usd) ?? assert.fail();
    market.putEntry(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...line, flags: 2 })));
    assert.equal(market.one(market.alice, depositOp(market.poolId, 1n, 1n)), 'notAuthorized');
  });

  it('a frozen trustline', () => {
    const market = new PoolMarket();
    const { alice, poolId } = market;
    market.must(alice, depositOp(poolId, 1000n, 1000n));
    for (const asset of [market.eur, market.usd]) {
      const frozen = [assetLineKeyId(alice, asset)];
      const deposit = market.whileFrozen(frozen, alice, depositOp(poolId, 9_999_999n, 1n));
      assert.ok(deposit.type === 'opInner');
      assert.equal(deposit.tr.value.type, 'liquidityPoolDepositTrustlineFrozen');
      const withdrawal = market.whileFrozen(frozen, alice, withdrawOp(poolId, 1n, 99n));
      assert.ok(withdrawal.type === 'opInner');
      assert.equal(withdrawal.tr.value.type, 'liquidityPoolWithdrawTrustlineFrozen');
    }
  });

  it('underfunded before a bad price, a bad price before a full line', () => {
    const market = new PoolMarket();
    const { alice, poolId } = market;
    market.must(alice, changeTrustOp(market.parameters, 10n));
    const deposit = (a: bigint, b: bigint, price: [number, number]) =>
      market.one(alice, depositOp(poolId, a, b, [price, price]));
    assert.equal(deposit(1_000_001n, 1n, [9, 1]), 'underfunded');
    assert.equal(deposit(1n, 1_000_001n, [9, 1]), 'underfunded');
    assert.equal(deposit(11n, 11n, [9, 1]), 'badPrice');
    assert.equal(deposit(11n, 11n, [1, 1]), 'lineFull');
    assert.equal(deposit(10n, 10n, [1, 1]), 'success');
    assert.equal(deposit(1n, 1n, [1, 1]), 'lineFull');
  });

  it('a full pool', () => {
    const market = new PoolMarket();
    const { alice, poolId } = market;
    market.must(alice, depositOp(poolId, 1000n, 1000n));
    market.putReserves({
      reserveA: INT64_MAX - 5n,
      reserveB: 1000n,
      totalPoolShares: INT64_MAX - 5n,
    });
    assert.equal(market.one(alice, depositOp(poolId, 6n, 6n)), 'poolFull');
  });

  it('switched off by the network', () => {
    const market = new PoolMarket();
    market.switchOff(2);
    assert.equal(market.one(market.alice, depositOp(market.poolId, 0n, 0n)), 'opNotSupported');
    market.switchOff(5);
    market.must(market.alice, depositOp(market.poolId, 10n, 10n));
    assert.equal(market.one(market.alice, withdrawOp(market.poolId, 0n)), 'opNotSupported');
    market.switchOff(3);
    assert.equal(market.one(market.alice, withdrawOp(market.poolId, 1n)), 'success');
  });
});

describe('Lumens go into a pool from above the reserve', () => {
  it('and no further', () => {
    const market = new TestMarket();
    const { usd } = market;
    const alice = market.trader('alice');
    market.must(alice, changeTrustOp(poolOf(NATIVE, usd), INT64_MAX));
    const poolId = poolIdOfAssets(usd, NATIVE);
    const spendable = 1000n * XLM - 6n * RESERVE;
    assert.equal(market.one(alice, depositOp(poolId, spendable + 1n, 1000n)), 'underfunded');
    market.must(alice, depositOp(poolId, spendable, 1000n));
    market.must(alice, withdrawOp(poolId, 100n));
    assert.ok(market.balance(alice, NATIVE) > 6n * RESERVE);
  });
});

describe('A withdrawal pays the worth of shares, rounded down', () => {
  it('out of both reserves', () => {
    const market = new PoolMarket();
    market.must(market.alice, depositOp(market.poolId, 400n, 900n));
    market.must(market.alice, withdrawOp(market.poolId, 100n, 66n, 150n));
    assert.deepEqual(market.reserves(), [334n, 750n, 500n]);
    assert.equal(market.shares(market.alice), 500n);
    market.must(market.alice, withdrawOp(market.poolId, 500n));
    assert.deepEqual(market.reserves(), [0n, 0n, 0n]);
  });

  it('but not below the minima, not more than is held, and not if a line is full', () => {
    const market = new PoolMarket();
    const { alice, poolId } = market;
    market.must(alice, depositOp(poolId, 400n, 900n));
    assert.equal(market.one(alice, withdrawOp(poolId, 601n)), 'underfunded');
    assert.equal(market.one(alice, withdrawOp(poolId, 100n, 67n)), 'underMinimum');
    assert.equal(market.one(alice, withdrawOp(poolId, 100n, 66n, 151n)), 'underMinimum');
    market.must(alice, changeTrustOp(market.usd, market.balance(alice, market.usd) + 149n));
    assert.equal(market.one(alice, withdrawOp(poolId, 100n)), 'lineFull');
  });

  it('even to a holder that is authorized only to maintain liabilities', () => {
    const market = new PoolMarket();
    const { alice, poolId } = market;
    market.must(alice, depositOp(poolId, 400n, 900n));
    const line = market.line(alice, market.usd) ?? assert.fail();
    market.putEntry(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...line, flags: 2 })));
    assert.equal(market.one(alice, withdrawOp(poolId, 100n)), 'success');
  });
});

describe('The issuer of a pool’s asset', () => {
  it('deposits and withdraws without a trustline to it, which mints and burns', () => {
    const market = new PoolMarket();
    const { issuer, poolId, parameters } = market;
    market.must(issuer, changeTrustOp(parameters, INT64_MAX));
    const { events } = market.apply([issuer, depositOp(poolId, 100n, 100n)]);
    const pool = StrKey.encodeLiquidityPool(poolId.value);
    const read = events.map(({ body }) => body.v0.topics.map((topic) => scValToNative(topic)));
    const key = StrKey.encodeEd25519PublicKey(issuer.ed25519.value);
    assert.deepEqual(read, [
      ['mint', pool, `EUR:${key}`],
      ['mint', pool, `USD:${key}`],
    ]);
    const burnt = market.apply([issuer, withdrawOp(poolId, 40n)]).events;
    assert.deepEqual(
      burnt.map(({ body }) => body.v0.topics.map((topic) => scValToNative(topic))),
      [
        ['burn', pool, `EUR:${key}`],
        ['burn', pool, `USD:${key}`],
      ],
    );
  });
});

describe('Pool operations', () => {
  it('ask for medium weight', () => {
    for (const body of [
      depositOp(new xdr.PoolId(new Uint8Array(32)), 1n, 1n),
      withdrawOp(new xdr.PoolId(new Uint8Array(32)), 1n),
    ]) {
      assert.equal(rulesFor(body.type)?.threshold(body), 'medium');
    }
  });
});
