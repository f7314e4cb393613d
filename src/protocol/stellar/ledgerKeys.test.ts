import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { OTHER_ASSET, PAYER } from '../../../test/support/payment.ts';
import {
  accountKey,
  encodedAccountKey,
  encodedNonceKey,
  nonceKey,
  sequenceOfEntry,
} from './ledgerKeys.ts';

const publicKeys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const int64s = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

describe('the key and sequence number of an account, by their place in its XDR', () => {
  it('encodes the key as the SDK does', () => {
    fc.assert(
      fc.property(publicKeys, (publicKey) => {
        assert.equal(encodedAccountKey({ publicKey }), accountKey({ publicKey }).toXdr('base64'));
      }),
    );
  });

  it('reads the sequence number of every entry that the SDK encodes', () => {
    fc.assert(
      fc.property(
        publicKeys,
        int64s,
        int64s,
        fc.stringMatching(/^[a-z.]{0,32}$/),
        (publicKey, balance, seqNum, domain) => {
          const entry = xdr.LedgerEntryData.account(
            new xdr.AccountEntry({
              accountId: xdr.PublicKey.publicKeyTypeEd25519(publicKey),
              balance,
              seqNum,
              numSubEntries: 0,
              inflationDest: null,
              flags: 0,
              homeDomain: domain,
              thresholds: new Uint8Array(4),
              signers: [],
              ext: xdr.AccountEntryExt.v0(),
            }),
          );
          assert.equal(sequenceOfEntry(entry.toXdr('base64')), seqNum);
        },
      ),
    );
  });

  it('reads nothing from what is not an account, or ends too early', () => {
    const short = Buffer.alloc(55).toString('base64');
    const trustline = Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.alloc(96)]);
    for (const entry of ['', 'not base64 at all', short, trustline.toString('base64')]) {
      assert.equal(sequenceOfEntry(entry), undefined);
    }
  });
});

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
