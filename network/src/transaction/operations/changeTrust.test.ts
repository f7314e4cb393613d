import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  beginOp,
  changeTrustOp,
  endOp,
  paymentOp,
  poolOf,
  setOptionsOp,
} from '../../../test/helpers/testOperations.ts';
import { accountNamed, credit, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { liquidityPoolKeyId } from '../../state/index.ts';
import { ACCOUNT_FLAGS, INT64_MAX, poolIdOf, poolUseCount } from '../balances/index.ts';

const NATIVE = xdr.Asset.assetTypeNative();

describe('a trustline limits how much of an issued asset an account will hold', () => {
  const world = new TestWorld();
  const issuer = world.account('issuer', 10n * XLM);
  const alice = world.account('alice', 10n * XLM);
  const usd = credit('USD', issuer);

  it('is refused for lumens, for one’s own asset, for an invalid code, for a negative limit', () => {
    assert.equal(world.one(alice, changeTrustOp(NATIVE, 1n)), 'malformed');
    assert.equal(world.one(issuer, changeTrustOp(usd, 1n)), 'malformed');
    assert.equal(world.one(alice, changeTrustOp(credit('U D', issuer), 1n)), 'malformed');
    assert.equal(world.one(alice, changeTrustOp(usd, -1n)), 'malformed');
  });

  it('is refused for an issuer that does not exist', () => {
    const none = credit('USD', accountNamed('nobody'));
    assert.equal(world.one(alice, changeTrustOp(none, 1n)), 'noIssuer');
  });

  it('cannot be closed before it is opened', () => {
    assert.equal(world.one(alice, changeTrustOp(usd, 0n)), 'invalidLimit');
  });

  it('costs one reserve', () => {
    const poor = world.account('poor', 3n * RESERVE - 1n);
    assert.equal(world.one(poor, changeTrustOp(usd, 1n)), 'lowReserve');
    assert.equal(world.one(alice, changeTrustOp(usd, 100n)), 'success');
    assert.equal(world.get(alice).numSubEntries, 1);
  });

  it('cannot be limited below the balance, nor closed while it holds some', () => {
    world.apply([issuer, paymentOp(alice, usd, 60n)]);
    assert.equal(world.one(alice, changeTrustOp(usd, 59n)), 'invalidLimit');
    assert.equal(world.one(alice, changeTrustOp(usd, 0n)), 'invalidLimit');
    assert.equal(world.one(alice, changeTrustOp(usd, 60n)), 'success');
    assert.equal(world.line(alice, usd)?.limit, 60n);
  });

  it('returns its reserve when it is closed', () => {
    world.apply([alice, paymentOp(issuer, usd, 60n)]);
    assert.equal(world.one(alice, changeTrustOp(usd, 0n)), 'success');
    assert.equal(world.line(alice, usd), undefined);
    assert.equal(world.get(alice).numSubEntries, 0);
  });
});

describe('a new trustline follows its issuer’s settings', () => {
  const flagsOf = (issuerFlags: number): number | undefined => {
    const world = new TestWorld();
    const issuer = world.account('issuer', 10n * XLM, { flags: issuerFlags });
    const alice = world.account('alice', 10n * XLM);
    world.apply([alice, changeTrustOp(credit('USD', issuer), 1n)]);
    return world.line(alice, credit('USD', issuer))?.flags;
  };

  it('is authorized unless the issuer requires authorization', () => {
    assert.equal(flagsOf(0), 1);
    assert.equal(flagsOf(ACCOUNT_FLAGS.authRequired), 0);
  });

  it('can be clawed back if the issuer enables it (CAP-35)', () => {
    assert.equal(flagsOf(ACCOUNT_FLAGS.authRevocable | ACCOUNT_FLAGS.clawbackEnabled), 5);
  });
});

describe('an account has at most 1000 sub-entries', () => {
  it('refuses one more, whoever pays', () => {
    const world = new TestWorld();
    const issuer = world.account('issuer', 10n * XLM);
    const sponsor = world.account('sponsor', 1000n * XLM);
    const alice = world.account('alice', 1000n * XLM);
    const line = (n: number): [xdr.PublicKey, xdr.OperationBody] => [
      alice,
      changeTrustOp(credit(`X${n.toString(36)}`, issuer), 1n),
    ];
    const filled = world.apply(...Array.from({ length: 1000 }, (_, n) => line(n)));
    assert.equal(filled.code, 'txSuccess');
    assert.equal(world.apply(line(1000)).results[0], 'opTooManySubentries');
    const sponsored = world.apply([sponsor, beginOp(alice)], line(1000), [alice, endOp()]);
    assert.equal(sponsored.results[1], 'opTooManySubentries');
  });
});

describe('a trustline to pool shares (CAP-38)', () => {
  const world = new TestWorld();
  const issuer = world.account('issuer', 10n * XLM);
  const alice = world.account('alice', 10n * XLM);
  const bob = world.account('bob', 10n * XLM);
  const eur = credit('EUR', issuer);
  const usd = credit('USD', issuer);
  const pool = poolOf(eur, usd);
  const poolEntry = () => {
    const entry = world.state.peek(liquidityPoolKeyId(poolIdOf(pool)));
    return entry?.data.type === 'liquidityPool' ? entry.data.liquidityPool : undefined;
  };
  const uses = (account: xdr.PublicKey, asset: xdr.Asset): number => {
    const line = world.line(account, asset);
    return line === undefined ? -1 : poolUseCount(line);
  };

  it('is refused for assets out of order, equal assets and another fee', () => {
    assert.equal(world.one(alice, changeTrustOp(poolOf(usd, eur), 1n)), 'malformed');
    assert.equal(world.one(alice, changeTrustOp(poolOf(usd, usd), 1n)), 'malformed');
    assert.equal(world.one(alice, changeTrustOp(poolOf(eur, usd, 31), 1n)), 'malformed');
  });

  it('needs a trustline to each asset that the account does not issue', () => {
    assert.equal(world.one(alice, changeTrustOp(pool, 1n)), 'trustLineMissing');
    world.apply([alice, changeTrustOp(eur, INT64_MAX)]);
    assert.equal(world.one(alice, changeTrustOp(pool, 1n)), 'trustLineMissing');
    world.apply([alice, changeTrustOp(usd, INT64_MAX)]);
    assert.equal(world.one(alice, changeTrustOp(pool, 1n)), 'success');
  });

  it('costs two reserves, and the first one creates the pool', () => {
    assert.equal(world.get(alice).numSubEntries, 4);
    assert.equal(poolEntry()?.body.constantProduct.poolSharesTrustLineCount, 1n);
    assert.equal(uses(alice, eur), 1);
    assert.equal(uses(alice, usd), 1);
  });

  it('needs no trustline of the issuer', () => {
    assert.equal(world.one(issuer, changeTrustOp(pool, 1n)), 'success');
    assert.equal(poolEntry()?.body.constantProduct.poolSharesTrustLineCount, 2n);
  });

  it('keeps the trustlines to its assets open', () => {
    assert.equal(world.one(alice, changeTrustOp(usd, 0n)), 'cannotDelete');
  });

  it('is refused while an asset is not authorized at all', () => {
    world.apply([issuer, setOptionsOp({ setFlags: ACCOUNT_FLAGS.authRequired })]);
    world.apply([bob, changeTrustOp(eur, 1n)], [bob, changeTrustOp(usd, 1n)]);
    assert.equal(world.one(bob, changeTrustOp(pool, 1n)), 'notAuthMaintainLiabilities');
  });

  it('deletes the pool when the last one is closed', () => {
    assert.equal(world.one(issuer, changeTrustOp(pool, 0n)), 'success');
    assert.equal(poolEntry()?.body.constantProduct.poolSharesTrustLineCount, 1n);
    assert.equal(world.one(alice, changeTrustOp(pool, 0n)), 'success');
    assert.equal(poolEntry(), undefined);
    assert.equal(uses(alice, usd), 0);
    assert.equal(world.one(alice, changeTrustOp(usd, 0n)), 'success');
    assert.equal(world.get(alice).numSubEntries, 1);
  });
});
