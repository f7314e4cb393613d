import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { changeTrustOp, paymentOp, setOptionsOp } from '../../../test/helpers/testOperations.ts';
import { accountNamed, credit, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { INT64_MAX, TRUSTLINE_FLAGS } from '../balances/index.ts';

const NATIVE = xdr.Asset.assetTypeNative();

/** The accounts whose balances or lines an operation records. */
function touched(changes: readonly xdr.LedgerEntryChange[]): number {
  return changes.filter((change) => change.type === 'ledgerEntryUpdated').length;
}

describe('lumens can be paid to any account that exists', () => {
  const world = new TestWorld();
  const alice = world.account('alice', 10n * XLM);
  const bob = world.account('bob', XLM);

  it('moves them', () => {
    assert.equal(world.one(alice, paymentOp(bob, NATIVE, XLM)), 'success');
    assert.equal(world.get(alice).balance, 9n * XLM);
    assert.equal(world.get(bob).balance, 2n * XLM);
  });

  it('refuses no amount, a negative amount and an invalid code', () => {
    assert.equal(world.one(alice, paymentOp(bob, NATIVE, 0n)), 'malformed');
    assert.equal(world.one(alice, paymentOp(bob, NATIVE, -1n)), 'malformed');
    assert.equal(world.one(alice, paymentOp(bob, credit('A-B', bob), 1n)), 'malformed');
  });

  it('refuses an account that does not exist', () => {
    assert.equal(world.one(alice, paymentOp(accountNamed('nobody'), NATIVE, 1n)), 'noDestination');
  });

  it('refuses to go below the reserve', () => {
    const spendable = 9n * XLM - 2n * RESERVE;
    assert.equal(world.one(alice, paymentOp(bob, NATIVE, spendable + 1n)), 'underfunded');
    assert.equal(world.one(alice, paymentOp(bob, NATIVE, spendable)), 'success');
  });

  it('refuses amounts that would overflow the destination, whatever the source has', () => {
    const rich = world.account('rich', INT64_MAX);
    assert.equal(world.one(alice, paymentOp(rich, NATIVE, 1n)), 'lineFull');
  });
});

describe('lumens paid to oneself change nothing, whether they exist or not', () => {
  it('succeeds without touching the account', () => {
    const world = new TestWorld();
    const alice = world.account('alice', XLM);
    const toSelf = paymentOp(alice, NATIVE, INT64_MAX);
    assert.equal(world.one(alice, toSelf), 'success');
    assert.deepEqual(world.changesOf(alice, toSelf), []);
  });
});

describe('an issued asset needs an authorized trustline on each side that does not issue it', () => {
  const world = new TestWorld();
  const issuer = world.account('issuer', 10n * XLM);
  const alice = world.account('alice', 10n * XLM);
  const bob = world.account('bob', 10n * XLM);
  const usd = credit('USD', issuer);

  it('refuses a destination without trustline, then a source without', () => {
    assert.equal(world.one(issuer, paymentOp(alice, usd, 1n)), 'noTrust');
    world.apply([bob, changeTrustOp(usd, 1000n)]);
    assert.equal(world.one(alice, paymentOp(bob, usd, 1n)), 'srcNoTrust');
  });

  it('lets the issuer pay without a balance, up to the limit of the line', () => {
    world.apply([alice, changeTrustOp(usd, 1000n)]);
    assert.equal(world.one(issuer, paymentOp(alice, usd, 1001n)), 'lineFull');
    assert.equal(world.one(issuer, paymentOp(alice, usd, 1000n)), 'success');
    assert.equal(world.line(alice, usd)?.balance, 1000n);
  });

  it('refuses more than the balance', () => {
    assert.equal(world.one(bob, paymentOp(alice, usd, 1n)), 'lineFull');
    assert.equal(world.one(alice, paymentOp(bob, usd, 400n)), 'success');
    assert.equal(world.one(bob, paymentOp(alice, usd, 401n)), 'lineFull');
    assert.equal(world.one(bob, paymentOp(issuer, usd, 401n)), 'underfunded');
  });

  it('records the two lines and neither of the accounts', () => {
    assert.equal(touched(world.changesOf(alice, paymentOp(bob, usd, 1n))), 2);
  });

  it('needs room above the balance even for a payment to oneself', () => {
    world.apply([bob, changeTrustOp(usd, 400n)]);
    assert.equal(world.one(bob, paymentOp(bob, usd, 1n)), 'lineFull');
    world.apply([bob, changeTrustOp(usd, 800n)]);
    assert.equal(world.one(bob, paymentOp(bob, usd, 400n)), 'success');
    assert.equal(world.one(bob, paymentOp(bob, usd, 401n)), 'lineFull');
  });

  it('lets an asset return to an issuer that no longer exists', () => {
    const gone = credit('USD', accountNamed('gone'));
    const line = xdr.TrustLineAsset.assetTypeCreditAlphanum4(
      gone.type === 'assetTypeCreditAlphanum4' ? gone.alphaNum4 : assert.fail(),
    );
    const holder = world.account('holder', 10n * XLM, { numSubEntries: 1 });
    putLine(world, holder, line, 5n);
    assert.equal(world.one(holder, paymentOp(accountNamed('gone'), gone, 5n)), 'success');
    assert.equal(world.line(holder, gone)?.balance, 0n);
  });
});

describe('a line without authorization neither receives nor pays', () => {
  it('refuses both, and also a line that is authorized only to maintain liabilities', () => {
    const world = new TestWorld();
    const issuer = world.account('issuer', 10n * XLM);
    const usd = credit('USD', issuer);
    world.apply([issuer, setOptionsOp({ setFlags: 1 })]);
    const alice = world.account('alice', 10n * XLM);
    world.apply([alice, changeTrustOp(usd, 100n)]);
    assert.equal(world.one(issuer, paymentOp(alice, usd, 1n)), 'notAuthorized');
    assert.equal(world.one(alice, paymentOp(issuer, usd, 1n)), 'srcNotAuthorized');

    const line = world.line(alice, usd) ?? assert.fail();
    const flags = TRUSTLINE_FLAGS.authorizedToMaintainLiabilities;
    putLine(world, alice, line.asset, 10n, flags);
    assert.equal(world.one(issuer, paymentOp(alice, usd, 1n)), 'notAuthorized');
    assert.equal(world.one(alice, paymentOp(issuer, usd, 1n)), 'srcNotAuthorized');
  });
});

describe('every payment is an event (CAP-67)', () => {
  const world = new TestWorld();
  const issuer = world.account('issuer', 10n * XLM);
  const alice = world.account('alice', 10n * XLM);
  const bob = world.account('bob', 10n * XLM);
  const usd = credit('USD', issuer);
  world.apply([alice, changeTrustOp(usd, 100n)], [bob, changeTrustOp(usd, 100n)]);
  const eventOf = (from: xdr.PublicKey, to: xdr.PublicKey, asset: xdr.Asset): string => {
    const { events } = world.apply([from, paymentOp(to, asset, 1n)]);
    const names = events.map((event) => event.body.v0.topics[0]);
    return names.map((name) => (name?.type === 'scvSymbol' ? name.sym : 'other')).join();
  };

  it('is a mint from the issuer, a burn back to it, else a transfer', () => {
    assert.equal(eventOf(issuer, alice, usd), 'mint');
    assert.equal(eventOf(alice, bob, usd), 'transfer');
    assert.equal(eventOf(bob, issuer, usd), 'burn');
    assert.equal(eventOf(issuer, issuer, usd), 'transfer');
    assert.equal(eventOf(alice, bob, NATIVE), 'transfer');
  });

  it('is one even if lumens do not move', () => {
    assert.equal(eventOf(alice, alice, NATIVE), 'transfer');
  });

  it('is none if the payment fails', () => {
    assert.equal(eventOf(bob, alice, usd), '');
  });
});

function putLine(
  world: TestWorld,
  accountId: xdr.PublicKey,
  asset: xdr.TrustLineAsset,
  balance: bigint,
  flags: number = TRUSTLINE_FLAGS.authorized,
): void {
  world.putEntry(
    xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId,
        asset,
        balance,
        limit: 1000n,
        flags,
        ext: xdr.TrustLineEntryExt.v0(),
      }),
    ),
  );
}
