import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OTHER_ASSET, PAYER } from '../../../../../test/support/payment.ts';
import { encodedNonceKey, nonceKey } from './nonceKey.ts';

describe('The key of a used nonce', () => {
  it('is encoded as the SDK encodes it, for accounts and contracts', () => {
    const nonces = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.constantFrom(PAYER.address, OTHER_ASSET), nonces, (address, nonce) => {
        assert.equal(encodedNonceKey(address, nonce), nonceKey(address, nonce).toXdr('base64'));
      }),
    );
  });
});
