import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Account, Address, Keypair, MuxedAccount, xdr } from '@stellar/stellar-sdk';
import {
  accountFields,
  addressOf,
  addressText,
  parseAccount,
  signerText,
  signerTypeText,
} from './address.ts';

const { publicKey } = { publicKey: Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7)).publicKey() };

describe('Addresses are written as StrKeys', () => {
  it('of accounts, and read back', () => {
    const account = parseAccount(publicKey);
    assert.ok(account !== undefined);
    assert.equal(addressOf(account), publicKey);
    assert.equal(parseAccount('GNOACCOUNT'), undefined);
  });

  it('of accounts with a multiplexing id, in three fields', () => {
    const muxed = new MuxedAccount(new Account(publicKey, '0'), '18446744073709551615');
    assert.deepEqual(accountFields('from', muxed.toXDRObject()), {
      from: publicKey,
      from_muxed: muxed.accountId(),
      from_muxed_id: '18446744073709551615',
    });
  });

  it('of every kind that contracts know', () => {
    const contract = Address.contract(Buffer.alloc(32, 1));
    const balance = Address.claimableBalance(Buffer.concat([Buffer.of(0), Buffer.alloc(32, 3)]));
    const pool = Address.liquidityPool(Buffer.alloc(32, 2));
    for (const address of [Address.fromString(publicKey), contract, balance, pool]) {
      assert.equal(addressText(address.toScAddress()), address.toString());
    }
  });

  it('of signers of every kind', () => {
    const kinds = [
      xdr.SignerKey.signerKeyTypeEd25519(Keypair.fromPublicKey(publicKey).rawPublicKey()),
      xdr.SignerKey.signerKeyTypePreAuthTx(Buffer.alloc(32, 1)),
      xdr.SignerKey.signerKeyTypeHashX(Buffer.alloc(32, 2)),
    ].map((key) => [signerText(key)[0], signerTypeText(key)]);
    assert.deepEqual(kinds, [
      ['G', 'ed25519_public_key'],
      ['T', 'preauth_tx'],
      ['X', 'sha256_hash'],
    ]);
  });
});
