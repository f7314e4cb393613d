import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LocalKey } from '../../genesis/index.ts';
import { createSignatureVerifier } from './signatureChecker.ts';

const alice = LocalKey.derive('signatures', 'alice');
const bob = LocalKey.derive('signatures', 'bob');
const keyOf = (key: LocalKey): Uint8Array => key.publicKey.ed25519.value;
const MESSAGE = Buffer.from('a transaction');

describe('A signature that was verified ahead', () => {
  it('has the same verdict as without that', async () => {
    const good = alice.sign(MESSAGE);
    const bad = Buffer.from(good);
    bad[0] = (bad[0] ?? 0) ^ 1;
    const asked: readonly (readonly [Uint8Array, Uint8Array, Uint8Array])[] = [
      [keyOf(alice), good, MESSAGE],
      [keyOf(alice), bad, MESSAGE],
      [keyOf(bob), good, MESSAGE],
      [keyOf(alice), good, Buffer.from('another transaction')],
      [keyOf(alice), good.subarray(0, 63), MESSAGE],
      [keyOf(alice), Buffer.alloc(0), MESSAGE],
      [new Uint8Array(32).fill(0xff), good, MESSAGE],
    ];
    const verifier = createSignatureVerifier();
    await Promise.all(asked.map((question) => verifier.ahead(...question)));
    const plain = createSignatureVerifier();
    const verdicts = asked.map((question) => verifier(...question));
    assert.deepEqual(
      verdicts,
      asked.map((question) => plain(...question)),
    );
    assert.deepEqual(verdicts, [true, false, false, false, false, false, false]);
  });

  it('can be queried while it is being verified', async () => {
    const verifier = createSignatureVerifier();
    const signature = alice.sign(MESSAGE);
    const ahead = verifier.ahead(keyOf(alice), signature, MESSAGE);
    assert.equal(verifier(keyOf(alice), signature, MESSAGE), true);
    await ahead;
    assert.equal(verifier(keyOf(alice), signature, MESSAGE), true);
  });
});
