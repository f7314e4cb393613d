import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { scValToNative, xdr } from '@stellar/stellar-sdk';
import { depositOp, sellOp } from '../../../test/helpers/testMarket.ts';
import {
  beginOp,
  changeTrustOp,
  endOp,
  paymentOp,
  poolOf,
  setOptionsOp,
} from '../../../test/helpers/testOperations.ts';
import { allowTrustOp, trustFlagsOp } from '../../../test/helpers/testTrustOperations.ts';
import { credit, RESERVE, type Step, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { accountIdString, claimableBalanceKeyId, liquidityPoolKeyId } from '../../state/index.ts';
import {
  ACCOUNT_FLAGS,
  numSponsoring,
  poolIdOf,
  poolUseCount,
  TRUSTLINE_FLAGS,
  trustlineLiabilities,
} from '../balances/index.ts';
import { entrySponsor } from '../sponsorship/index.ts';

const NATIVE = xdr.Asset.assetTypeNative();
const FULL = TRUSTLINE_FLAGS.authorized;
const MAINTAIN = TRUSTLINE_FLAGS.authorizedToMaintainLiabilities;

function world(flags: number = ACCOUNT_FLAGS.authRevocable) {
  const ledger = new TestWorld();
  const issuer = ledger.account('issuer', 100n * XLM, { flags });
  const alice = ledger.account('alice', 100n * XLM);
  const usd = credit('USD', issuer);
  ledger.apply([alice, changeTrustOp(usd, 10_000n)], [issuer, paymentOp(alice, usd, 5000n)]);
  return { ledger, issuer, alice, usd };
}

type World = ReturnType<typeof world>;

const flagsOf = ({ ledger, alice, usd }: World): number | undefined =>
  ledger.line(alice, usd)?.flags;

/** Both operations that set authorization, as one call. */
const ways = {
  AllowTrust: ({ alice }: World, authorize: number): xdr.OperationBody =>
    allowTrustOp(alice, 'USD', authorize),
  SetTrustLineFlags: ({ alice, usd }: World, authorize: number): xdr.OperationBody =>
    trustFlagsOp(alice, usd, { set: authorize, clear: 3 & ~authorize }),
};

for (const [name, set] of Object.entries(ways)) {
  describe(`${name}: an issuer decides how far a trustline is authorized`, () => {
    it('grants, restricts and revokes', () => {
      const w = world();
      for (const authorize of [MAINTAIN, 0, FULL, 0, MAINTAIN, FULL]) {
        assert.equal(w.ledger.one(w.issuer, set(w, authorize)), 'success');
        assert.equal(flagsOf(w), authorize);
      }
    });

    it('needs AUTH_REVOCABLE to take anything away', () => {
      const w = world(0);
      assert.equal(w.ledger.one(w.issuer, set(w, 0)), 'cantRevoke');
      assert.equal(w.ledger.one(w.issuer, set(w, MAINTAIN)), 'cantRevoke');
      assert.equal(w.ledger.one(w.issuer, set(w, FULL)), 'success');
    });

    it('can lift a restriction without AUTH_REVOCABLE', () => {
      const w = world();
      w.ledger.apply([w.issuer, set(w, MAINTAIN)]);
      w.ledger.apply([w.issuer, setOptionsOp({ clearFlags: ACCOUNT_FLAGS.authRevocable })]);
      assert.equal(w.ledger.one(w.issuer, set(w, FULL)), 'success');
      assert.equal(flagsOf(w), FULL);
    });

    it('needs a trustline, and is malformed on oneself', () => {
      const w = world();
      const bob = w.ledger.account('bob', XLM);
      assert.equal(w.ledger.one(w.issuer, set({ ...w, alice: bob }, FULL)), 'noTrustLine');
      assert.equal(w.ledger.one(w.issuer, set({ ...w, alice: w.issuer }, FULL)), 'malformed');
    });

    it('keeps the power to claw back', () => {
      const w = world(ACCOUNT_FLAGS.authRevocable | ACCOUNT_FLAGS.clawbackEnabled);
      w.ledger.apply([w.issuer, set(w, 0)]);
      assert.equal(flagsOf(w), TRUSTLINE_FLAGS.clawbackEnabled);
    });

    it('reports in its event whether the holder may use the asset', () => {
      const w = world();
      const said = [MAINTAIN, FULL].flatMap((authorize) =>
        w.ledger
          .apply([w.issuer, set(w, authorize)])
          .events.map(({ body: { v0 } }) => [
            scValToNative(v0.topics[0] ?? v0.data),
            scValToNative(v0.data),
          ]),
      );
      assert.deepEqual(said, [
        ['set_authorized', false],
        ['set_authorized', true],
      ]);
    });

    it('keeps offers while restricting, and removes them with their liabilities when revoking', () => {
      const w = world();
      const { ledger, issuer, alice, usd } = w;
      const eur = credit('EUR', issuer);
      ledger.apply(
        [alice, changeTrustOp(eur, 10_000n)],
        [issuer, paymentOp(alice, eur, 5000n)],
        [alice, sellOp(usd, NATIVE, 100n)],
        [alice, sellOp(NATIVE, usd, 100n, [2, 1])],
        [alice, sellOp(eur, NATIVE, 100n)],
      );
      ledger.apply([issuer, set(w, MAINTAIN)]);
      assert.equal(ledger.state.offersOf(accountIdString(alice)).size, 3);
      ledger.apply([issuer, set(w, 0)]);
      assert.equal(ledger.state.offersOf(accountIdString(alice)).size, 1);
      const line = ledger.line(alice, usd);
      assert.ok(line);
      assert.deepEqual(
        trustlineLiabilities(line),
        new xdr.Liabilities({ buying: 0n, selling: 0n }),
      );
      assert.equal(ledger.get(alice).numSubEntries, 3);
    });
  });
}

describe('AllowTrust is malformed', () => {
  it('for unknown flags, or both at once', () => {
    const { ledger, issuer, alice } = world();
    assert.equal(ledger.one(issuer, allowTrustOp(alice, 'USD', 3)), 'malformed');
    assert.equal(ledger.one(issuer, allowTrustOp(alice, 'USD', 4)), 'malformed');
    assert.equal(ledger.one(issuer, allowTrustOp(alice, 'U-D', 1)), 'malformed');
  });
});

describe('SetTrustLineFlags', () => {
  it('is malformed for lumens, for assets of others, and for contradictory flags', () => {
    const { ledger, issuer, alice, usd } = world();
    const of = (asset: xdr.Asset, set: number, clear: number): string =>
      ledger.one(issuer, trustFlagsOp(alice, asset, { set, clear }));
    assert.equal(of(NATIVE, 1, 0), 'malformed');
    assert.equal(of(credit('USD', alice), 1, 0), 'malformed');
    assert.equal(of(usd, 1, 1), 'malformed');
    assert.equal(of(usd, 3, 0), 'malformed');
    assert.equal(of(usd, TRUSTLINE_FLAGS.clawbackEnabled, 0), 'malformed');
    assert.equal(of(usd, 8, 0), 'malformed');
    assert.equal(of(usd, 0, 8), 'malformed');
    assert.equal(of(usd, 0, 7), 'success');
  });

  it('refuses a state with both authorizations', () => {
    const w = world();
    const { ledger, issuer, alice, usd } = w;
    assert.equal(ledger.one(issuer, trustFlagsOp(alice, usd, { set: MAINTAIN })), 'invalidState');
  });

  it('gives up clawback without AUTH_REVOCABLE', () => {
    const w = world(ACCOUNT_FLAGS.authRevocable | ACCOUNT_FLAGS.clawbackEnabled);
    assert.equal(
      w.ledger.one(
        w.issuer,
        trustFlagsOp(w.alice, w.usd, { clear: TRUSTLINE_FLAGS.clawbackEnabled }),
      ),
      'success',
    );
    assert.equal(flagsOf(w), FULL);
  });
});

describe('Revoking turns pool shares into claimable balances (CAP-38)', () => {
  /** Alice holds shares of the pool of lumens and dollars; the deposit was 1000 of each. */
  function withPool(flags?: number) {
    const w = world(flags);
    const pool = poolOf(NATIVE, w.usd);
    const poolId = poolIdOf(pool);
    w.ledger.apply(
      [w.alice, changeTrustOp(pool, 10_000n)],
      [w.alice, depositOp(poolId, 1000n, 1000n)],
    );
    return { ...w, pool, poolId };
  }

  function balanceOf(w: ReturnType<typeof withPool>, asset: xdr.Asset) {
    const preimage = xdr.HashIdPreimage.envelopeTypePoolRevokeOpId(
      new xdr.HashIdPreimageRevokeId({
        sourceAccount: w.issuer,
        seqNum: 1n,
        opNum: 0,
        liquidityPoolId: w.poolId,
        asset,
      }),
    );
    const hash = createHash('sha256').update(preimage.toXdr()).digest();
    const id = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(hash);
    const entry = w.ledger.state.peek(claimableBalanceKeyId(id));
    return entry?.data.type === 'claimableBalance'
      ? { entry, balance: entry.data.claimableBalance }
      : undefined;
  }

  const revoke = (w: World): Step => [w.issuer, trustFlagsOp(w.alice, w.usd, { clear: FULL })];

  it('pays out each side of the pool, which goes with its last holder', () => {
    const w = withPool();
    const outcome = w.ledger.apply(revoke(w));
    assert.deepEqual(outcome.results, ['success']);
    for (const asset of [NATIVE, w.usd]) {
      const made = balanceOf(w, asset);
      assert.equal(made?.balance.amount, 1000n);
      assert.equal(made.balance.ext.type, 'v0');
      assert.deepEqual(made.balance.claimants[0]?.v0.destination, w.alice);
      assert.deepEqual(entrySponsor(made.entry), w.alice);
    }
    assert.equal(w.ledger.state.peek(liquidityPoolKeyId(w.poolId)), undefined);
    const line = w.ledger.line(w.alice, w.usd);
    assert.equal(line && poolUseCount(line), 0);
    assert.deepEqual(
      outcome.events.map(({ body }) => scValToNative(body.v0.topics[0] ?? body.v0.data)),
      ['transfer', 'transfer', 'set_authorized'],
    );
  });

  it('leaves the shares of others in the pool', () => {
    const w = withPool();
    const bob = w.ledger.account('bob', 100n * XLM);
    w.ledger.apply(
      [bob, changeTrustOp(w.usd, 10_000n)],
      [w.issuer, paymentOp(bob, w.usd, 500n)],
      [bob, changeTrustOp(w.pool, 10_000n)],
      [bob, depositOp(w.poolId, 500n, 500n)],
    );
    w.ledger.apply(revoke(w));
    const data = w.ledger.state.peek(liquidityPoolKeyId(w.poolId))?.data;
    assert.equal(data?.type, 'liquidityPool');
    const { reserveA, reserveB, totalPoolShares, poolSharesTrustLineCount } =
      data.liquidityPool.body.constantProduct;
    assert.deepEqual(
      [reserveA, reserveB, totalPoolShares, poolSharesTrustLineCount],
      [500n, 500n, 500n, 1n],
    );
  });

  it('passes on the power to claw back', () => {
    const w = withPool(ACCOUNT_FLAGS.authRevocable | ACCOUNT_FLAGS.clawbackEnabled);
    w.ledger.apply(revoke(w));
    assert.equal(balanceOf(w, w.usd)?.balance.ext.type, 'v1');
    assert.equal(balanceOf(w, NATIVE)?.balance.ext.type, 'v0');
  });

  it('burns what would return to a holder who issues the other asset', () => {
    const w = world();
    const own = credit('AAA', w.alice);
    const pool = poolOf(own, w.usd);
    const poolId = poolIdOf(pool);
    w.ledger.apply(
      [w.alice, changeTrustOp(pool, 10_000n)],
      [w.alice, depositOp(poolId, 1000n, 1000n)],
    );
    const outcome = w.ledger.apply(revoke(w));
    assert.deepEqual(
      outcome.events.map(({ body }) => scValToNative(body.v0.topics[0] ?? body.v0.data)),
      ['burn', 'transfer', 'set_authorized'],
    );
    const kept = { ...w, pool, poolId };
    assert.equal(balanceOf(kept, own), undefined);
    assert.equal(balanceOf(kept, w.usd)?.balance.amount, 1000n);
  });

  it('charges the balances to the sponsor of the pool shares', () => {
    const w = world();
    const pool = poolOf(NATIVE, w.usd);
    const poolId = poolIdOf(pool);
    const bob = w.ledger.account('bob', 100n * XLM);
    w.ledger.apply(
      [bob, beginOp(w.alice)],
      [w.alice, changeTrustOp(pool, 10_000n)],
      [w.alice, endOp()],
      [w.alice, depositOp(poolId, 1000n, 1000n)],
    );
    w.ledger.apply(revoke(w));
    const made = balanceOf({ ...w, pool, poolId }, w.usd);
    assert.deepEqual(made && entrySponsor(made.entry), bob);
    assert.equal(numSponsoring(w.ledger.get(bob)), 2);
  });

  it('reuses the reserve of the shares, even where the balance is below the minimum', () => {
    const w = withPool();
    const { header } = w.ledger.state;
    w.ledger.state.header = new xdr.LedgerHeader({
      ...header,
      baseReserve: Number(100n * XLM),
    });
    assert.equal(w.ledger.apply(revoke(w)).code, 'txSuccess');
    assert.equal(numSponsoring(w.ledger.get(w.alice)), 2);
  });

  it('is refused if a sponsor of the holder cannot pay the new reserves', () => {
    const w = withPool();
    const poor = w.ledger.account('poor', 3n * RESERVE);
    const revokeSponsored = (): readonly string[] =>
      w.ledger.apply([poor, beginOp(w.alice)], revoke(w), [w.alice, endOp()]).results;
    assert.deepEqual(revokeSponsored(), ['success', 'lowReserve', 'success']);
    assert.equal(flagsOf(w), FULL);
  });

  it('closes an empty share without creating balances', () => {
    const w = world();
    const pool = poolOf(NATIVE, w.usd);
    w.ledger.apply([w.alice, changeTrustOp(pool, 10_000n)]);
    const outcome = w.ledger.apply(revoke(w));
    assert.deepEqual(outcome.results, ['success']);
    assert.equal(w.ledger.get(w.alice).numSubEntries, 1);
    assert.equal(outcome.events.length, 1);
  });
});
