import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { keySigner, setOptionsOp, signerOp } from '../../../test/helpers/testOperations.ts';
import { accountNamed, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { ACCOUNT_FLAGS } from '../balances/index.ts';
import { setOptions } from './setOptions.ts';

const { authRequired, authRevocable, authImmutable, clawbackEnabled } = ACCOUNT_FLAGS;

function world(flags = 0): { world: TestWorld; alice: xdr.PublicKey } {
  const fresh = new TestWorld();
  return { world: fresh, alice: fresh.account('alice', 100n * XLM, { flags }) };
}

describe('changing keys or thresholds requires the high threshold, anything else the medium one', () => {
  const level = (options: Parameters<typeof setOptionsOp>[0]): string => {
    const body = setOptionsOp(options);
    return body.type === 'setOptions' ? setOptions.threshold(body) : assert.fail();
  };

  it('distinguishes them', () => {
    assert.equal(level({ homeDomain: 'example.org' }), 'medium');
    assert.equal(level({ setFlags: 1 }), 'medium');
    for (const option of ['masterWeight', 'lowThreshold', 'medThreshold', 'highThreshold']) {
      assert.equal(level({ [option]: 0 }), 'high');
    }
    const key = keySigner(accountNamed('bob'));
    assert.equal(level({ signer: new xdr.Signer({ key, weight: 0 }) }), 'high');
  });
});

describe('flags', () => {
  it('must be known, and not set and cleared at once', () => {
    const { world: w, alice } = world();
    assert.equal(w.one(alice, setOptionsOp({ setFlags: 16 })), 'unknownFlag');
    assert.equal(w.one(alice, setOptionsOp({ clearFlags: 16 })), 'unknownFlag');
    assert.equal(w.one(alice, setOptionsOp({ setFlags: 1, clearFlags: 1 })), 'badFlags');
  });

  it('are set and cleared', () => {
    const { world: w, alice } = world(authRequired);
    const body = setOptionsOp({ setFlags: authRevocable, clearFlags: authRequired });
    assert.equal(w.one(alice, body), 'success');
    assert.equal(w.get(alice).flags, authRevocable);
  });

  it('cannot change any more once the account is immutable', () => {
    const { world: w, alice } = world(authImmutable);
    assert.equal(w.one(alice, setOptionsOp({ setFlags: authRequired })), 'cantChange');
    assert.equal(w.one(alice, setOptionsOp({ clearFlags: authImmutable })), 'cantChange');
    assert.equal(w.one(alice, setOptionsOp({ setFlags: 0, clearFlags: 0 })), 'success');
  });

  it('allow clawback only together with revoking (CAP-35)', () => {
    const { world: w, alice } = world();
    assert.equal(
      w.one(alice, setOptionsOp({ setFlags: clawbackEnabled })),
      'authRevocableRequired',
    );
    const both = setOptionsOp({ setFlags: clawbackEnabled | authRevocable });
    assert.equal(w.one(alice, both), 'success');
    assert.equal(
      w.one(alice, setOptionsOp({ clearFlags: authRevocable })),
      'authRevocableRequired',
    );
  });
});

describe('thresholds, home domain and inflation destination', () => {
  it('takes weights of a byte', () => {
    const { world: w, alice } = world();
    assert.equal(w.one(alice, setOptionsOp({ medThreshold: 256 })), 'thresholdOutOfRange');
    const all = { masterWeight: 255, lowThreshold: 1, medThreshold: 2, highThreshold: 3 };
    assert.equal(w.one(alice, setOptionsOp(all)), 'success');
    assert.deepEqual([...w.get(alice).thresholds.value], [255, 1, 2, 3]);
    assert.equal(w.one(alice, setOptionsOp({ lowThreshold: 0 })), 'success');
    assert.deepEqual([...w.get(alice).thresholds.value], [255, 0, 2, 3]);
  });

  it('takes a home domain of printable ASCII', () => {
    const { world: w, alice } = world();
    assert.equal(w.one(alice, setOptionsOp({ homeDomain: 'a\nb' })), 'invalidHomeDomain');
    assert.equal(w.one(alice, setOptionsOp({ homeDomain: 'é' })), 'invalidHomeDomain');
    assert.equal(w.one(alice, setOptionsOp({ homeDomain: 'example.org' })), 'success');
    assert.equal(w.get(alice).homeDomain.toString(), 'example.org');
  });

  it('takes an inflation destination that exists', () => {
    const { world: w, alice } = world();
    const nobody = setOptionsOp({ inflationDest: accountNamed('nobody') });
    assert.equal(w.one(alice, nobody), 'invalidInflation');
    assert.equal(w.one(alice, setOptionsOp({ inflationDest: alice })), 'success');
  });
});

describe('a signer', () => {
  const bob = keySigner(accountNamed('bob'));

  it('is not the account itself, weighs a byte at most, and signs some payload if any', () => {
    const { world: w, alice } = world();
    assert.equal(w.one(alice, signerOp(keySigner(alice), 1)), 'badSigner');
    assert.equal(w.one(alice, signerOp(bob, 256)), 'badSigner');
    assert.equal(w.one(alice, signerOp(payloadSigner(''), 1)), 'badSigner');
    assert.equal(w.one(alice, signerOp(payloadSigner('x'), 1)), 'success');
  });

  it('costs a reserve, which comes back with its removal', () => {
    const fresh = new TestWorld();
    const poor = fresh.account('poor', 3n * RESERVE);
    assert.equal(fresh.one(poor, signerOp(bob, 1)), 'success');
    assert.equal(fresh.one(poor, signerOp(keySigner(accountNamed('carol')), 1)), 'lowReserve');
    assert.equal(fresh.one(poor, signerOp(bob, 0)), 'success');
    assert.deepEqual(fresh.get(poor).signers, []);
    assert.equal(fresh.get(poor).numSubEntries, 0);
  });

  it('changes its weight without cost', () => {
    const fresh = new TestWorld();
    const poor = fresh.account('poor', 3n * RESERVE);
    fresh.apply([poor, signerOp(bob, 1)]);
    assert.equal(fresh.one(poor, signerOp(bob, 200)), 'success');
    assert.deepEqual(
      fresh.get(poor).signers.map((signer) => signer.weight),
      [200],
    );
  });

  it('can be removed without being there', () => {
    const { world: w, alice } = world();
    assert.equal(w.one(alice, signerOp(bob, 0)), 'success');
  });

  it('is in order of type, then key, then payload', () => {
    const { world: w, alice } = world();
    const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
    const keys = [
      xdr.SignerKey.signerKeyTypeEd25519(bytes(1)),
      xdr.SignerKey.signerKeyTypeEd25519(bytes(200)),
      xdr.SignerKey.signerKeyTypePreAuthTx(bytes(0)),
      xdr.SignerKey.signerKeyTypeHashX(bytes(0)),
      payloadSigner('a'),
      payloadSigner('ab'),
    ];
    for (const at of [5, 2, 0, 4, 3, 1]) {
      const key = keys[at] ?? assert.fail();
      assert.equal(w.one(alice, signerOp(key, 1)), 'success');
    }
    const stored = w.get(alice).signers.map(({ key }) => key.toXdr('hex'));
    assert.deepEqual(
      stored,
      keys.map((key) => key.toXdr('hex')),
    );
  });

  it('is one of 20 at most', () => {
    const { world: w, alice } = world();
    const add = (n: number): string => w.one(alice, signerOp(keySigner(accountNamed(`s${n}`)), 1));
    for (let n = 0; n < 20; n += 1) assert.equal(add(n), 'success');
    assert.equal(add(20), 'tooManySigners');
  });
});

function payloadSigner(payload: string): xdr.SignerKey {
  return xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
    new xdr.SignerKeyEd25519SignedPayload({
      ed25519: new xdr.Uint256Bytes(new Uint8Array(32).fill(7)),
      payload: Buffer.from(payload),
    }),
  );
}
