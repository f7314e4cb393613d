import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { testKey } from '../../../../test/support/payer.ts';
import {
  accountSignature,
  authorizationEntry,
  type EntryParts,
  invocation,
  OTHER_ASSET,
  PAYER,
  STRANGER,
} from '../../../../test/support/payment.ts';
import { TESTNET_PASSPHRASE } from '../../../protocol/index.ts';
import { authorizationPreimage } from '../../../protocol/stellar/index.ts';
import { judgeEntry } from './payerSignature.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
const CALL = invocation();

type Key = Pick<typeof PAYER, 'publicKey' | 'sign' | 'address' | 'secret'>;

/** An entry of the payer with the signatures of these keys. */
function signedBy(keys: readonly Key[], parts: EntryParts = {}): xdr.SorobanAuthorizationEntry {
  const unsigned = authorizationEntry({ ...parts, signer: null }, CALL);
  const hash = createHash('sha256').update(authorizationPreimage(unsigned, NETWORK_ID)).digest();
  const signatures = keys.flatMap((key) => {
    const value = accountSignature(key, hash);
    return value.type === 'scvVec' ? (value.vec ?? []) : [];
  });
  return authorizationEntry({ ...parts, signature: xdr.ScVal.scvVec(signatures) }, CALL);
}

const judged = (entry: xdr.SorobanAuthorizationEntry) => judgeEntry(entry, PAYER.address);
const lying = (key: Key): Key => ({ ...key, sign: () => Buffer.alloc(64, 7) });

describe('What the signatures of an authorization prove without the ledger', () => {
  it('the account’s own key alone, or with others that verify: valid', () => {
    for (const kind of ['address', 'addressV2'] as const) {
      assert.equal(judged(signedBy([PAYER], { kind })), 'valid');
      assert.equal(judged(signedBy([PAYER, STRANGER], { kind })), 'valid');
    }
  });

  it('only other keys, each of which verifies: unchecked, since they may be the account’s signers', () => {
    assert.equal(judged(signedBy([STRANGER])), 'unchecked');
  });

  it('one that does not verify, whosever it is: invalid', () => {
    for (const keys of [
      [lying(PAYER)],
      [lying(STRANGER)],
      [PAYER, lying(STRANGER)],
      [STRANGER, lying(PAYER)],
    ]) {
      assert.equal(judged(signedBy(keys)), 'invalid');
    }
  });

  it('one for another call, nonce or ledger: invalid', () => {
    const value = accountSignature(PAYER, createHash('sha256').update('another').digest());
    assert.equal(judged(authorizationEntry({ signature: value }, CALL)), 'invalid');
  });

  it('no signatures, more than an account may have, or another form: invalid', () => {
    const keys = Array.from({ length: 21 }, (_, i) => testKey(`signer ${i}`));
    assert.equal(judged(signedBy(keys.slice(1))), 'unchecked');
    assert.equal(judged(signedBy(keys)), 'invalid');
    assert.equal(judged(signedBy([])), 'invalid');
    for (const signature of [xdr.ScVal.scvBytes(new Uint8Array(64)), xdr.ScVal.scvBool(true)]) {
      assert.equal(judged(authorizationEntry({ signature }, CALL)), 'invalid');
    }
  });

  it('nothing at all: unsigned', () => {
    assert.equal(judged(authorizationEntry({ signer: null }, CALL)), 'unsigned');
  });

  it('anything of a contract: unchecked', () => {
    const signature = xdr.ScVal.scvBytes(new Uint8Array(4));
    const entry = authorizationEntry({ by: OTHER_ASSET, signature }, CALL);
    assert.equal(judgeEntry(entry, OTHER_ASSET), 'unchecked');
  });
});
