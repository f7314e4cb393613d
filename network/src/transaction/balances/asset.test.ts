import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { accountNamed } from '../../../test/helpers/testWorld.ts';
import {
  compareAssets,
  isAssetValid,
  isIssuer,
  issuerOf,
  sameAsset,
  trustLineAssetOf,
} from './index.ts';

const issuer = accountNamed('issuer');

function alpha4(code: Uint8Array | string, by: xdr.PublicKey = issuer): xdr.Asset {
  return xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code, issuer: by }));
}

function alpha12(code: Uint8Array | string): xdr.Asset {
  return xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: code, issuer }));
}

describe('an asset code is 1 to 4 or 5 to 12 letters and digits, padded with zeros at its end', () => {
  it('takes those', () => {
    for (const code of ['A', 'aZ09', 'USD']) assert.equal(isAssetValid(alpha4(code)), true, code);
    for (const code of ['ABCDE', 'abcdefghij12']) assert.equal(isAssetValid(alpha12(code)), true);
    assert.equal(isAssetValid(xdr.Asset.assetTypeNative()), true);
  });

  it('refuses an empty one, a gap, other characters, and a long form for a short code', () => {
    const bad4 = [
      [0, 0, 0, 0],
      [0x41, 0, 0x42, 0],
      [0, 0x41, 0, 0],
      [0x41, 0x20, 0, 0],
      [0xc3, 0xa9, 0, 0],
    ];
    for (const code of bad4) assert.equal(isAssetValid(alpha4(Uint8Array.from(code))), false);
    assert.equal(isAssetValid(alpha12('ABCD')), false);
    const gap = Uint8Array.from([65, 65, 65, 65, 65, 0, 65, 0, 0, 0, 0, 0]);
    assert.equal(isAssetValid(alpha12(gap)), false);
  });
});

describe('assets are ordered like their XDR', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const account = bytes(32).map((key) => xdr.PublicKey.publicKeyTypeEd25519(key));
  const asset = fc.oneof(
    fc.constant(xdr.Asset.assetTypeNative()),
    fc.tuple(bytes(4), account).map(([code, by]) => alpha4(code, by)),
    fc
      .tuple(bytes(12), account)
      .map(([assetCode, by]) =>
        xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode, issuer: by })),
      ),
  );

  it('agrees with the bytes', () => {
    fc.assert(
      fc.property(asset, asset, (a, b) => {
        const order = Buffer.compare(a.toXdr(), b.toXdr());
        assert.equal(Math.sign(compareAssets(a, b)), order);
        assert.equal(sameAsset(a, b), order === 0);
        assert.equal(sameAsset(trustLineAssetOf(a), a), true);
      }),
    );
  });
});

describe('an issued asset has an issuer, lumens have none', () => {
  it('knows it', () => {
    assert.equal(issuerOf(alpha4('USD'))?.equals(issuer), true);
    assert.equal(isIssuer(issuer, alpha12('USDOLLAR')), true);
    assert.equal(isIssuer(accountNamed('other'), alpha4('USD')), false);
    assert.equal(issuerOf(xdr.Asset.assetTypeNative()), undefined);
  });
});
