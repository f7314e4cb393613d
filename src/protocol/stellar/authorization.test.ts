import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { authorizeEntry, Keypair, Networks } from '@stellar/stellar-sdk';
import type * as xdr from '@stellar/stellar-sdk/xdr';
import { credentialKind, readAuthorization } from '../../../common/authorization.ts';
import { authorizationEntry, invocation, PAYER } from '../../../test/support/payment.ts';
import { authorizationKey } from './authorizationKey.ts';
import { authorizationPreimage } from './authorizationPreimage.ts';

const NETWORK_ID = createHash('sha256').update(Networks.TESTNET).digest();

describe('Authorization entries', () => {
  it('are read the same way for both kinds of address credentials of protocol 27', () => {
    for (const kind of ['address', 'addressV2'] as const) {
      const read = readAuthorization(
        authorizationEntry({ kind, nonce: -7n, expirationLedger: 99 }, invocation()),
      );
      assert.ok(read !== undefined);
      const { address, nonce, expirationLedger, signed } = read;
      assert.deepEqual(
        { kind: read.kind, address, nonce, expirationLedger, signed },
        { kind, address: PAYER.address, nonce: -7n, expirationLedger: 99, signed: true },
      );
    }
  });

  it('are unsigned while their signature is void', () => {
    assert.equal(
      readAuthorization(authorizationEntry({ signer: null }, invocation()))?.signed,
      false,
    );
  });

  it('name no signer if they rely on the source account or on delegates', () => {
    for (const kind of ['sourceAccount', 'delegated'] as const) {
      const entry = authorizationEntry({ kind }, invocation());
      assert.equal(readAuthorization(entry), undefined);
      assert.equal(credentialKind(entry), kind);
    }
  });

  it('are distinguished by payer and nonce', () => {
    const other =
      'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF' as typeof PAYER.address;
    const keys = [authorizationKey(PAYER.address, 1n), authorizationKey(PAYER.address, -1n)];
    assert.equal(new Set([...keys, authorizationKey(other, 1n)]).size, 3);
    assert.equal(authorizationKey(PAYER.address, 1n), keys[0]);
  });
});

describe('What a payer signs', () => {
  it('is what the Stellar SDK signs, for both kinds', async () => {
    for (const kind of ['address', 'addressV2'] as const) {
      const unsigned = authorizationEntry({ kind, signer: null }, invocation());
      const keypair = Keypair.fromSecret(PAYER.secret);
      const signed = await authorizeEntry(unsigned, keypair, 1_234, Networks.TESTNET);
      const signature = (readCredentials(signed).signature as xdr.ScValVec)
        .vec?.[0] as xdr.ScValMap;
      const bytes = signature.map?.[1]?.val as xdr.ScValBytes;
      const hash = createHash('sha256').update(authorizationPreimage(signed, NETWORK_ID)).digest();
      const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), PAYER.publicKey]);
      const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
      assert.ok(verify(null, hash, key, bytes.bytes.value), kind);
    }
  });

  it('is undefined for entries that are not signed', () => {
    const entry = authorizationEntry({ kind: 'sourceAccount' }, invocation());
    assert.throws(() => authorizationPreimage(entry, NETWORK_ID), TypeError);
  });
});

function readCredentials(entry: xdr.SorobanAuthorizationEntry): xdr.SorobanAddressCredentials {
  const { credentials } = entry;
  if (credentials.type === 'sorobanCredentialsAddress') return credentials.address;
  if (credentials.type === 'sorobanCredentialsAddressV2') return credentials.addressV2;
  throw new TypeError(credentials.type);
}
