import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { sellOp } from '../../../test/helpers/testMarket.ts';
import { changeTrustOp, paymentOp } from '../../../test/helpers/testOperations.ts';
import { clawbackOp, trustFlagsOp } from '../../../test/helpers/testTrustOperations.ts';
import { credit, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { ACCOUNT_FLAGS } from '../balances/index.ts';

const NATIVE = xdr.Asset.assetTypeNative();

function world() {
  const ledger = new TestWorld();
  const issuer = ledger.account('issuer', 100n * XLM, {
    flags: ACCOUNT_FLAGS.authRevocable | ACCOUNT_FLAGS.clawbackEnabled,
  });
  const alice = ledger.account('alice', 100n * XLM);
  const usd = credit('USD', issuer);
  ledger.apply([alice, changeTrustOp(usd, 1000n)], [issuer, paymentOp(alice, usd, 500n)]);
  return { ledger, issuer, alice, usd };
}

describe('An issuer with clawback takes back what it issued', () => {
  it('reduces the balance, also of a multiplexed address', () => {
    const { ledger, issuer, alice, usd } = world();
    const address = xdr.MuxedAccount.keyTypeMuxedEd25519(
      new xdr.MuxedAccountMed25519({ id: 1n, ed25519: alice.ed25519 }),
    );
    assert.equal(ledger.one(issuer, clawbackOp(alice, usd, 100n)), 'success');
    assert.equal(ledger.one(issuer, clawbackOp(address, usd, 400n)), 'success');
    assert.equal(ledger.line(alice, usd)?.balance, 0n);
    assert.equal(ledger.one(issuer, clawbackOp(alice, usd, 1n)), 'underfunded');
  });

  it('works on a line without authorization, and leaves alone what offers sell', () => {
    const { ledger, issuer, alice, usd } = world();
    ledger.apply([alice, sellOp(usd, NATIVE, 200n)]);
    assert.equal(ledger.one(issuer, clawbackOp(alice, usd, 301n)), 'underfunded');
    ledger.apply([issuer, trustFlagsOp(alice, usd, { clear: 1 })]);
    assert.equal(ledger.one(issuer, clawbackOp(alice, usd, 500n)), 'success');
  });

  it('is refused without a trustline, and if the line gave clawback up', () => {
    const { ledger, issuer, alice, usd } = world();
    const bob = ledger.account('bob', XLM);
    assert.equal(ledger.one(issuer, clawbackOp(bob, usd, 1n)), 'noTrust');
    ledger.apply([issuer, trustFlagsOp(alice, usd, { clear: 4 })]);
    assert.equal(ledger.one(issuer, clawbackOp(alice, usd, 1n)), 'notClawbackEnabled');
  });

  it('is malformed from itself, for nothing, for lumens and for what others issue', () => {
    const { ledger, issuer, alice, usd } = world();
    assert.equal(ledger.one(issuer, clawbackOp(issuer, usd, 1n)), 'malformed');
    assert.equal(ledger.one(issuer, clawbackOp(alice, usd, 0n)), 'malformed');
    assert.equal(ledger.one(issuer, clawbackOp(alice, NATIVE, 1n)), 'malformed');
    assert.equal(ledger.one(alice, clawbackOp(issuer, usd, 1n)), 'malformed');
    assert.equal(ledger.one(issuer, clawbackOp(alice, credit('_', issuer), 1n)), 'malformed');
  });
});
