import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StrKey } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import {
  isMuxedAddress,
  parseAccountAddress,
  parseContractAddress,
  parseStellarAddress,
} from './address.ts';
import { decodeStrKey, encodeStrKey } from './strKey.ts';

const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
/** SEP-23: a muxed account over the key of ACCOUNT. */
const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('Text forms of keys (SEP-23)', () => {
  it('agree with the Stellar SDK on every key', () => {
    fc.assert(
      fc.property(bytes32, (key) => {
        const bytes = Buffer.from(key);
        assert.equal(encodeStrKey('account', key), StrKey.encodeEd25519PublicKey(bytes));
        assert.equal(encodeStrKey('contract', key), StrKey.encodeContract(bytes));
        assert.equal(encodeStrKey('secretSeed', key), StrKey.encodeEd25519SecretSeed(bytes));
        assert.deepEqual(decodeStrKey('account', encodeStrKey('account', key)), key);
      }),
    );
  });

  it('are refused if one letter anywhere is wrong', () => {
    const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
    fc.assert(
      fc.property(bytes32, fc.nat(55), letters, (key, at, letter) => {
        const text = encodeStrKey('contract', key);
        fc.pre(text[at] !== letter);
        const wrong = text.slice(0, at) + letter + text.slice(at + 1);
        assert.equal(decodeStrKey('contract', wrong), undefined);
      }),
    );
  });

  it('refuse keys that are not 32 bytes long', () => {
    assert.throws(() => encodeStrKey('account', new Uint8Array(31)), RangeError);
  });
});

describe('Addresses', () => {
  it('[spec: paymentRequirements/payTo] are G or C', () => {
    assert.equal(parseStellarAddress(ACCOUNT), ACCOUNT);
    const contract = encodeStrKey('contract', new Uint8Array(32));
    assert.equal(parseStellarAddress(contract), contract);
    assert.equal(parseAccountAddress(contract), undefined);
    assert.equal(parseContractAddress(ACCOUNT), undefined);
  });

  it('are refused if their checksum, length or alphabet is wrong', () => {
    for (const text of ['', ACCOUNT.slice(1), `${ACCOUNT}A`, ACCOUNT.toLowerCase()]) {
      assert.equal(parseStellarAddress(text), undefined, text);
    }
    assert.equal(parseStellarAddress(`${ACCOUNT.slice(0, -1)}A`), undefined);
    assert.equal(parseStellarAddress(encodeStrKey('secretSeed', new Uint8Array(32))), undefined);
  });

  it('[spec: Catalog reasons/invalid_payto] that are muxed are refused by name', () => {
    assert.equal(parseStellarAddress(MUXED), undefined);
    assert.equal(isMuxedAddress(MUXED), true);
    assert.equal(isMuxedAddress(ACCOUNT), false);
  });
});
