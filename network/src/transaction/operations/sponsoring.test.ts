import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  beginOp,
  changeTrustOp,
  dataOp,
  endOp,
  keySigner,
  poolOf,
  signerOp,
} from '../../../test/helpers/testOperations.ts';
import { accountNamed, credit, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { dataKeyId } from '../../state/index.ts';
import {
  accountAvailableBalance,
  numSponsored,
  numSponsoring,
  signerSponsors,
  UINT32_MAX,
  withAccountExtensionV2,
} from '../balances/index.ts';
import { entrySponsor, whyNotEstablish } from '../sponsorship/index.ts';

function three() {
  const world = new TestWorld();
  const sponsor = world.account('sponsor', 100n * XLM);
  const alice = world.account('alice', 2n * RESERVE);
  const other = world.account('other', 100n * XLM);
  return { world, sponsor, alice, other };
}

describe('an account that begins to sponsor another pays for its new reserves until it ends that', () => {
  it('pays for entries and signers that the account could not pay for', () => {
    const { world, sponsor, alice } = three();
    const outcome = world.apply(
      [sponsor, beginOp(alice)],
      [alice, dataOp('name', 'value')],
      [alice, signerOp(keySigner(accountNamed('key')), 1)],
      [alice, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
    assert.equal(numSponsored(world.get(alice)), 2);
    assert.equal(numSponsoring(world.get(sponsor)), 2);
    assert.equal(accountAvailableBalance(world.state.header, world.get(alice)), 0n);
    const entry = world.state.peek(dataKeyId(alice, 'name')) ?? assert.fail();
    assert.equal(entrySponsor(entry)?.equals(sponsor), true);
    assert.equal(signerSponsors(world.get(alice))[0]?.equals(sponsor), true);
  });

  it('pays two reserves for pool shares', () => {
    const { world, sponsor, alice, other } = three();
    const pool = poolOf(credit('EUR', alice), credit('USD', alice));
    world.apply([sponsor, beginOp(alice)], [alice, changeTrustOp(pool, 1n)], [alice, endOp()]);
    assert.equal(numSponsoring(world.get(sponsor)), 2);
    assert.equal(world.get(alice).numSubEntries, 2);
    assert.equal(numSponsoring(world.get(other)), 0);
  });

  it('pays for nothing that existed before, and for nothing afterwards', () => {
    const { world, sponsor, other } = three();
    world.apply([other, dataOp('before', 'x')]);
    world.apply([sponsor, beginOp(other)], [other, dataOp('before', 'y')], [other, endOp()]);
    world.apply([other, dataOp('after', 'x')]);
    assert.equal(numSponsoring(world.get(sponsor)), 0);
  });

  it('gets its reserves back when the entry or signer is removed', () => {
    const { world, sponsor, alice } = three();
    const key = keySigner(accountNamed('key'));
    world.apply(
      [sponsor, beginOp(alice)],
      [alice, dataOp('name', 'value')],
      [alice, signerOp(key, 1)],
      [alice, endOp()],
    );
    world.apply([alice, dataOp('name', null)], [alice, signerOp(key, 0)]);
    assert.equal(numSponsoring(world.get(sponsor)), 0);
    assert.equal(numSponsored(world.get(alice)), 0);
  });

  it('keeps each signer with its own sponsor, in whatever order they are added and removed', () => {
    const { world, sponsor, other } = three();
    const key = (fill: number): xdr.SignerKey =>
      xdr.SignerKey.signerKeyTypeEd25519(new Uint8Array(32).fill(fill));
    world.apply([other, signerOp(key(5), 1)]);
    world.apply([sponsor, beginOp(other)], [other, signerOp(key(3), 1)], [other, endOp()]);
    world.apply([other, signerOp(key(1), 1)], [other, signerOp(key(4), 1)]);
    const sponsors = () =>
      signerSponsors(world.get(other)).map((id) => id?.equals(sponsor) ?? false);
    assert.deepEqual(sponsors(), [false, true, false, false]);
    world.apply([other, signerOp(key(1), 0)]);
    assert.deepEqual(sponsors(), [true, false, false]);
    world.apply([other, signerOp(key(3), 0)]);
    assert.deepEqual(sponsors(), [false, false]);
  });
});

describe('a sponsorship cannot be nested, doubled or left open', () => {
  it('refuses to sponsor oneself', () => {
    const { world, sponsor } = three();
    assert.equal(world.one(sponsor, beginOp(sponsor)), 'malformed');
  });

  it('refuses a second sponsor', () => {
    const { world, sponsor, alice, other } = three();
    const { results } = world.apply([sponsor, beginOp(alice)], [other, beginOp(alice)]);
    assert.deepEqual(results, ['success', 'alreadySponsored']);
  });

  it('refuses a sponsored sponsor and a sponsoring sponsored one', () => {
    const { world, sponsor, alice, other } = three();
    const down = world.apply([sponsor, beginOp(alice)], [alice, beginOp(other)]);
    assert.deepEqual(down.results, ['success', 'recursive']);
    const up = world.apply([sponsor, beginOp(alice)], [other, beginOp(sponsor)]);
    assert.deepEqual(up.results, ['success', 'recursive']);
  });

  it('lets one account sponsor several at once', () => {
    const { world, sponsor, alice, other } = three();
    const outcome = world.apply(
      [sponsor, beginOp(alice)],
      [sponsor, beginOp(other)],
      [alice, endOp()],
      [other, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
  });

  it('can be ended only by the sponsored account', () => {
    const { world, sponsor, alice } = three();
    const { results } = world.apply([sponsor, beginOp(alice)], [sponsor, endOp()]);
    assert.deepEqual(results, ['success', 'notSponsored']);
  });

  it('makes a transaction fail that leaves one open, with txBAD_SPONSORSHIP', () => {
    const { world, sponsor, alice } = three();
    const outcome = world.apply([sponsor, beginOp(alice)], [alice, dataOp('name', 'value')]);
    assert.equal(outcome.code, 'txBadSponsorship');
    assert.equal(numSponsoring(world.get(sponsor)), 0);
  });

  it('is forgotten with the transaction that failed', () => {
    const { world, sponsor, alice, other } = three();
    world.apply([sponsor, beginOp(alice)], [other, endOp()]);
    assert.equal(world.one(alice, endOp()), 'notSponsored');
  });
});

describe('a sponsor has to afford what it pays for', () => {
  it('needs balance above its own reserve and liabilities, not the sponsored account’s', () => {
    const { world, alice, other } = three();
    const poor = world.account('poor', 3n * RESERVE - 1n);
    const sandwich = (sponsor: xdr.PublicKey) =>
      world.apply([sponsor, beginOp(alice)], [alice, dataOp('name', 'value')], [alice, endOp()]);
    assert.deepEqual(sandwich(poor).results, ['success', 'lowReserve', 'success']);
    assert.equal(sandwich(other).code, 'txSuccess');
  });

  it('cannot count more than a 32-bit number, sub-entries included', () => {
    const { world, sponsor } = three();
    const { header } = world.state;
    const account = new xdr.AccountEntry({
      ...world.get(sponsor),
      balance: 10n ** 18n,
      numSubEntries: 10,
    });
    const counting = (count: number): xdr.AccountEntry =>
      withAccountExtensionV2(account, { numSponsoring: count });
    assert.equal(whyNotEstablish(header, 1, counting(UINT32_MAX - 11), undefined), undefined);
    assert.equal(
      whyNotEstablish(header, 1, counting(UINT32_MAX - 10), undefined),
      'tooManySponsoring',
    );
    assert.equal(whyNotEstablish(header, 1, counting(UINT32_MAX), undefined), 'tooManySponsoring');
  });
});
