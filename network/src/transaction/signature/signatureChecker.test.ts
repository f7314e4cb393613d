import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { LocalKey } from '../../genesis/index.ts';
import {
  createSignatureVerifier,
  hintOf,
  SignatureChecker,
  signedPayloadHint,
} from './signatureChecker.ts';

const HASH = createHash('sha256').update('a transaction').digest();
const verify = createSignatureVerifier();
const alice = LocalKey.derive('signatures', 'alice');
const bob = LocalKey.derive('signatures', 'bob');

const checker = (...signatures: xdr.DecoratedSignature[]): SignatureChecker =>
  new SignatureChecker(HASH, signatures, verify, false);
const ed25519 = (key: LocalKey, weight: number) => ({
  key: xdr.SignerKey.signerKeyTypeEd25519(key.publicKey.ed25519),
  weight,
});
const preAuthorized = (hash: Uint8Array, weight: number) => ({
  key: xdr.SignerKey.signerKeyTypePreAuthTx(hash),
  weight,
});
const hashX = (preimage: Uint8Array, weight: number) => ({
  key: xdr.SignerKey.signerKeyTypeHashX(createHash('sha256').update(preimage).digest()),
  weight,
});
const reveal = (preimage: Uint8Array) =>
  new xdr.DecoratedSignature({
    hint: hintOf(createHash('sha256').update(preimage).digest()),
    signature: preimage,
  });
const payloadSigner = (key: LocalKey, payload: Uint8Array, weight: number) => ({
  key: xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
    new xdr.SignerKeyEd25519SignedPayload({ ed25519: key.publicKey.ed25519, payload }),
  ),
  weight,
});
const signPayload = (key: LocalKey, payload: Uint8Array) =>
  new xdr.DecoratedSignature({
    hint: signedPayloadHint(key.publicKey.ed25519.value, payload),
    signature: key.sign(payload),
  });

describe('A signature counts its signer’s weight', () => {
  it('reaches a threshold alone or together with others', () => {
    assert.equal(checker(alice.decorate(HASH)).check([ed25519(alice, 2)], 2), true);
    assert.equal(checker(alice.decorate(HASH)).check([ed25519(alice, 2)], 3), false);
    const both = checker(alice.decorate(HASH), bob.decorate(HASH));
    assert.equal(both.check([ed25519(alice, 2), ed25519(bob, 1)], 3), true);
  });

  it('counts a signer once, however often it signed', () => {
    const twice = checker(alice.decorate(HASH), alice.decorate(HASH));
    assert.equal(twice.check([ed25519(alice, 1)], 2), false);
  });

  it('counts no weight above 255', () => {
    const signers = [ed25519(alice, 1_000)];
    assert.equal(checker(alice.decorate(HASH)).check(signers, 255), true);
    assert.equal(checker(alice.decorate(HASH)).check(signers, 256), false);
  });

  it('requires one signature even if the threshold is zero', () => {
    assert.equal(checker().check([ed25519(alice, 1)], 0), false);
    assert.equal(checker(alice.decorate(HASH)).check([ed25519(alice, 1)], 0), true);
  });

  it('skips signatures of another message, another key or another length', () => {
    const other = createHash('sha256').update('another').digest();
    assert.equal(checker(alice.decorate(other)).check([ed25519(alice, 1)], 1), false);
    assert.equal(checker(bob.decorate(HASH)).check([ed25519(alice, 1)], 1), false);
    const short = new xdr.DecoratedSignature({
      hint: alice.decorate(HASH).hint,
      signature: alice.sign(HASH).subarray(0, 63),
    });
    assert.equal(checker(short).check([ed25519(alice, 1)], 1), false);
  });

  it('is not tried if its hint names another key', () => {
    const misnamed = new xdr.DecoratedSignature({
      hint: bob.decorate(HASH).hint,
      signature: alice.sign(HASH),
    });
    assert.equal(checker(misnamed).check([ed25519(alice, 1)], 1), false);
  });
});

describe('Every signature must be of use', () => {
  it('detects one that nothing required', () => {
    const subject = checker(alice.decorate(HASH), bob.decorate(HASH));
    assert.equal(subject.check([ed25519(alice, 1)], 1), true);
    assert.equal(subject.allUsed(), false);
    assert.equal(subject.check([ed25519(bob, 1)], 1), true);
    assert.equal(subject.allUsed(), true);
  });

  it('leaves those unused that follow after the threshold is reached', () => {
    const subject = checker(alice.decorate(HASH), bob.decorate(HASH));
    assert.equal(subject.check([ed25519(alice, 1), ed25519(bob, 1)], 1), true);
    assert.equal(subject.allUsed(), false);
  });

  it('marks signatures that helped even if the weight falls short', () => {
    const subject = checker(alice.decorate(HASH));
    assert.equal(subject.check([ed25519(alice, 1)], 9), false);
    assert.equal(subject.allUsed(), true);
  });
});

describe('Signers of other kinds', () => {
  it('authorize a transaction in advance by its hash, without a signature', () => {
    const subject = checker();
    assert.equal(subject.check([preAuthorized(HASH, 1)], 1), true);
    assert.equal(subject.allUsed(), true);
    assert.equal(checker().check([preAuthorized(Buffer.alloc(32, 7), 1)], 1), false);
  });

  it('are checked before signatures: one that is then not needed is left over', () => {
    const subject = checker(alice.decorate(HASH));
    assert.equal(subject.check([ed25519(alice, 1), preAuthorized(HASH, 1)], 1), true);
    assert.equal(subject.allUsed(), false);
  });

  it('are satisfied by the preimage of a hash', () => {
    const secret = Buffer.from('open sesame');
    assert.equal(checker(reveal(secret)).check([hashX(secret, 1)], 1), true);
    assert.equal(checker(reveal(Buffer.from('other'))).check([hashX(secret, 1)], 1), false);
  });

  it('are satisfied by the signature of a payload', () => {
    const payload = Buffer.from([1, 2, 3, 4, 5]);
    const signers = [payloadSigner(bob, payload, 1)];
    assert.equal(checker(signPayload(bob, payload)).check(signers, 1), true);
    assert.equal(checker(signPayload(alice, payload)).check(signers, 1), false);
    assert.equal(checker(bob.decorate(HASH)).check(signers, 1), false);
  });
});

describe('Hints', () => {
  it('are the last four bytes, or all of something shorter', () => {
    assert.deepEqual([...hintOf(Uint8Array.of(1, 2, 3, 4, 5, 6))], [3, 4, 5, 6]);
    assert.deepEqual([...hintOf(Uint8Array.of(1, 2))], [1, 2, 0, 0]);
  });

  it('of a signed payload combine the hints of key and payload (CAP-40)', () => {
    const key = new Uint8Array(32).fill(0xff);
    assert.deepEqual([...signedPayloadHint(key, Uint8Array.of(1, 2, 3, 4))], [254, 253, 252, 251]);
    assert.deepEqual([...signedPayloadHint(key, Uint8Array.of(1))], [254, 255, 255, 255]);
  });
});

describe('The number of Ed25519 verifications is limited', () => {
  it('ignores signatures beyond the thousandth', () => {
    const wrong = alice.decorate(Buffer.alloc(32, 1));
    const signatures = [...new Array<xdr.DecoratedSignature>(19).fill(wrong), alice.decorate(HASH)];
    const limited = new SignatureChecker(HASH, signatures, verify, true);
    const unlimited = new SignatureChecker(HASH, signatures, verify, false);
    const never = { key: ed25519(alice, 1).key, weight: 0 };
    for (let round = 0; round < 52; round += 1) {
      limited.check([never], 255);
      unlimited.check([never], 255);
    }
    assert.equal(limited.check([ed25519(alice, 1)], 1), false);
    assert.equal(unlimited.check([ed25519(alice, 1)], 1), true);
  });
});
