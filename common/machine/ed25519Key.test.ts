import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { openEd25519Key } from './ed25519Key.ts';

describe('An Ed25519 key', () => {
  it('has the public key and the signature of RFC 8032, test 2', () => {
    const seed = Buffer.from(
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      'hex',
    );
    const key = openEd25519Key(seed);
    assert.equal(
      Buffer.from(key.publicKey).toString('hex'),
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    );
    assert.equal(
      key.sign(Buffer.from('72', 'hex')).toString('hex'),
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });

  it('signs what its public key verifies', () => {
    const key = openEd25519Key(new Uint8Array(32).fill(7));
    const x = Buffer.from(key.publicKey).toString('base64url');
    const open = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const message = Buffer.from('a message');
    assert.ok(verify(null, message, open, key.sign(message)));
  });
});
