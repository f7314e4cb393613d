import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compactSignature } from './passkeyAssertion.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

function number(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

describe('An ECDSA signature in DER, converted for the ledger', () => {
  it('becomes r and s, with s in the lower half, and still verifies', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (message) => {
        const compact = compactSignature(sign('sha256', message, privateKey));
        assert.equal(compact.length, 64);
        assert.ok(number(compact.subarray(32)) <= ORDER / 2n);
        const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
        assert.ok(verify('sha256', message, key, compact));
      }),
    );
  });

  it('is refused if it is anything else', () => {
    const good = sign('sha256', Buffer.from('x'), privateKey);
    const zero = Buffer.from('3006020100020101', 'hex');
    const wrong = [
      Buffer.alloc(0),
      Buffer.from([0x30]),
      good.subarray(0, -1),
      Buffer.concat([good, Buffer.of(0)]),
      Buffer.concat([Buffer.of(0x31), good.subarray(1)]),
      zero,
    ];
    for (const bytes of wrong) assert.throws(() => compactSignature(bytes), TypeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          assert.equal(compactSignature(bytes).length, 64);
        } catch (error) {
          assert.ok(error instanceof TypeError);
        }
      }),
    );
  });
});
