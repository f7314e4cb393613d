import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  beginOp,
  changeTrustOp,
  createAccountOp,
  dataOp,
  endOp,
  keySigner,
  paymentOp,
  revokeOp,
  revokeSignerOp,
  signerOp,
} from '../../../test/helpers/testOperations.ts';
import { accountNamed, credit, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { claimableBalanceKeyId, dataKeyId, ledgerKeyOf } from '../../state/index.ts';
import { numSponsored, numSponsoring, signerSponsors } from '../balances/index.ts';
import { entrySponsor } from '../sponsorship/index.ts';

const NATIVE = xdr.Asset.assetTypeNative();
const KEY = keySigner(accountNamed('key'));

function parties() {
  const world = new TestWorld();
  const sponsor = world.account('sponsor', 100n * XLM);
  const next = world.account('next', 100n * XLM);
  const alice = world.account('alice', 100n * XLM);
  return { world, sponsor, next, alice };
}

/** A data entry and a signer of alice, both paid by the sponsor. */
function sponsored() {
  const all = parties();
  const { world, sponsor, alice } = all;
  world.apply(
    [sponsor, beginOp(alice)],
    [alice, dataOp('name', 'value')],
    [alice, signerOp(KEY, 1)],
    [alice, endOp()],
  );
  const data = revokeOp(ledgerKeyOf(dataKeyId(alice, 'name')));
  const signer = revokeSignerOp(alice, KEY);
  const payers = () => {
    const entry = world.state.peek(dataKeyId(alice, 'name')) ?? assert.fail();
    return [entrySponsor(entry), signerSponsors(world.get(alice))[0] ?? undefined];
  };
  return { ...all, data, signer, payers };
}

function accountKey(accountId: xdr.PublicKey): xdr.LedgerKey {
  return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
}

describe('the sponsor of an entry or signer can stop paying, and the owner then pays', () => {
  it('hands both back', () => {
    const { world, sponsor, alice, data, signer, payers } = sponsored();
    assert.equal(world.apply([sponsor, data], [sponsor, signer]).code, 'txSuccess');
    assert.deepEqual(payers(), [undefined, undefined]);
    assert.equal(numSponsoring(world.get(sponsor)), 0);
    assert.equal(numSponsored(world.get(alice)), 0);
    assert.equal(world.get(alice).numSubEntries, 2);
  });

  it('is refused if the owner cannot pay', () => {
    const { world, sponsor, next, alice, data, signer } = sponsored();
    const spare = world.get(alice).balance - 2n * RESERVE;
    world.apply([alice, paymentOp(next, NATIVE, spare)]);
    assert.equal(world.one(sponsor, data), 'lowReserve');
    assert.equal(world.one(sponsor, signer), 'lowReserve');
  });

  it('is possible only for the sponsor while there is one', () => {
    const { world, next, alice, data, signer } = sponsored();
    for (const source of [next, alice]) {
      assert.equal(world.one(source, data), 'notSponsor');
      assert.equal(world.one(source, signer), 'notSponsor');
    }
  });

  it('hands an account its own two reserves', () => {
    const { world, sponsor } = parties();
    const bob = accountNamed('bob');
    world.apply([sponsor, beginOp(bob)], [sponsor, createAccountOp(bob, 0n)], [bob, endOp()]);
    const revoke = revokeOp(accountKey(bob));
    assert.equal(world.one(sponsor, revoke), 'lowReserve');
    world.apply([sponsor, paymentOp(bob, NATIVE, 2n * RESERVE)]);
    assert.equal(world.one(sponsor, revoke), 'success');
    assert.equal(numSponsored(world.get(bob)), 0);
  });
});

describe('the sponsor of the revoking account at that moment becomes the sponsor', () => {
  it('from the sponsor', () => {
    const { world, sponsor, next, data, signer, payers } = sponsored();
    const outcome = world.apply(
      [next, beginOp(sponsor)],
      [sponsor, data],
      [sponsor, signer],
      [sponsor, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
    assert.deepEqual(
      payers().map((payer) => payer?.equals(next)),
      [true, true],
    );
    assert.equal(numSponsoring(world.get(sponsor)), 0);
    assert.equal(numSponsoring(world.get(next)), 2);
  });

  it('from the owner', () => {
    const { world, next, alice } = parties();
    world.apply([alice, dataOp('name', 'value')], [alice, signerOp(KEY, 1)]);
    const key = ledgerKeyOf(dataKeyId(alice, 'name'));
    const outcome = world.apply(
      [next, beginOp(alice)],
      [alice, revokeOp(key)],
      [alice, revokeSignerOp(alice, KEY)],
      [alice, revokeOp(accountKey(alice))],
      [alice, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
    assert.equal(numSponsoring(world.get(next)), 4);
    assert.equal(numSponsored(world.get(alice)), 4);
  });

  it('as long as it can afford to', () => {
    const { world, alice } = parties();
    world.apply([alice, dataOp('name', 'value')]);
    const poor = world.account('poor', 3n * RESERVE - 1n);
    const key = ledgerKeyOf(dataKeyId(alice, 'name'));
    const { results } = world.apply([poor, beginOp(alice)], [alice, revokeOp(key)]);
    assert.deepEqual(results, ['success', 'lowReserve']);
  });

  it('but the owner pays for itself if it is the sponsor', () => {
    const { world, sponsor, alice, data, signer, payers } = sponsored();
    const outcome = world.apply(
      [alice, beginOp(sponsor)],
      [sponsor, data],
      [sponsor, signer],
      [sponsor, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
    assert.deepEqual(payers(), [undefined, undefined]);
  });
});

describe('revoking what nobody sponsors, by its owner, changes nothing', () => {
  it('succeeds', () => {
    const { world, alice } = parties();
    world.apply([alice, dataOp('name', 'value')], [alice, signerOp(KEY, 1)]);
    assert.equal(world.one(alice, revokeOp(ledgerKeyOf(dataKeyId(alice, 'name')))), 'success');
    assert.equal(world.one(alice, revokeSignerOp(alice, KEY)), 'success');
    assert.equal(world.get(alice).ext.type, 'v0');
  });

  it('is refused to anybody else', () => {
    const { world, next, alice } = parties();
    world.apply([alice, dataOp('name', 'value')], [alice, signerOp(KEY, 1)]);
    assert.equal(world.one(next, revokeOp(ledgerKeyOf(dataKeyId(alice, 'name')))), 'notSponsor');
    assert.equal(world.one(next, revokeSignerOp(alice, KEY)), 'notSponsor');
  });
});

describe('a claimable balance always has a sponsor', () => {
  it('can be handed on, never back', () => {
    const { world, sponsor, next, alice } = parties();
    const created = world.apply([sponsor, claimableOp(alice)]);
    const key = ledgerKeyOf(claimableBalanceKeyId(balanceIdOf(created.raw[0])));
    assert.equal(numSponsoring(world.get(sponsor)), 1);
    assert.equal(world.one(sponsor, revokeOp(key)), 'onlyTransferable');
    const handed = world.apply(
      [next, beginOp(sponsor)],
      [sponsor, revokeOp(key)],
      [sponsor, endOp()],
    );
    assert.equal(handed.code, 'txSuccess');
    assert.equal(numSponsoring(world.get(next)), 1);
  });
});

describe('sponsorships that cannot exist cannot be revoked', () => {
  const { world, sponsor, alice } = parties();
  const lineKey = (accountId: xdr.PublicKey, asset: xdr.TrustLineAsset): xdr.LedgerKey =>
    xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset }));

  it('refuses keys of entries without reserve, and invalid keys', () => {
    const usd = xdr.TrustLineAsset.assetTypeCreditAlphanum4(
      new xdr.AlphaNum4({ assetCode: 'USD', issuer: alice }),
    );
    const offer = (offerId: bigint): xdr.LedgerKey =>
      xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId: alice, offerId }));
    const malformed = [
      lineKey(alice, xdr.TrustLineAsset.assetTypeNative()),
      lineKey(alice, usd),
      offer(0n),
      ledgerKeyOf(dataKeyId(alice, '')),
      ledgerKeyOf(dataKeyId(alice, 'a\nb')),
      xdr.LedgerKey.liquidityPool(
        new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: new xdr.PoolId(new Uint8Array(32)) }),
      ),
      xdr.LedgerKey.contractCode(
        new xdr.LedgerKeyContractCode({ hash: new xdr.Hash(new Uint8Array(32)) }),
      ),
    ];
    for (const key of malformed) assert.equal(world.one(sponsor, revokeOp(key)), 'malformed');
    assert.equal(world.one(sponsor, revokeOp(offer(1n))), 'doesNotExist');
    assert.equal(world.one(sponsor, revokeOp(lineKey(sponsor, usd))), 'doesNotExist');
  });

  it('refuses signers of nobody and invalid signers', () => {
    assert.equal(world.one(sponsor, revokeSignerOp(accountNamed('none'), KEY)), 'doesNotExist');
    assert.equal(world.one(alice, revokeSignerOp(alice, KEY)), 'doesNotExist');
  });

  it('takes a trustline by the key of its asset', () => {
    const usd = credit('USD', alice);
    world.apply([sponsor, changeTrustOp(usd, 1n)]);
    const asset = world.line(sponsor, usd)?.asset ?? assert.fail();
    assert.equal(world.one(sponsor, revokeOp(lineKey(sponsor, asset))), 'success');
  });
});

function claimableOp(destination: xdr.PublicKey): xdr.OperationBody {
  const claimant = xdr.Claimant.claimantTypeV0(
    new xdr.ClaimantV0({
      destination,
      predicate: xdr.ClaimPredicate.claimPredicateUnconditional(),
    }),
  );
  return xdr.OperationBody.createClaimableBalance(
    new xdr.CreateClaimableBalanceOp({ asset: NATIVE, amount: XLM, claimants: [claimant] }),
  );
}

function balanceIdOf(result: xdr.OperationResult | undefined): xdr.ClaimableBalanceId {
  if (result?.type !== 'opInner' || result.tr.type !== 'createClaimableBalance') assert.fail();
  const inner = result.tr.createClaimableBalanceResult;
  return inner.type === 'createClaimableBalanceSuccess' ? inner.balanceId : assert.fail();
}
