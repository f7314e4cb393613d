import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  account,
  accountEntry,
  offerEntry,
  poolShareEntry,
} from '../../test/helpers/testEntries.ts';
import {
  accountKeyId,
  claimableBalanceKeyId,
  configSettingKeyId,
  dataKeyId,
  entryKeyId,
  type LedgerKeyId,
  ledgerKeyId,
  ledgerKeyIdOfXdr,
  ledgerKeyOf,
  ledgerKeyOfEntry,
  ledgerKeyXdr,
  liquidityPoolKeyId,
  offerKeyId,
  trustlineKeyId,
  ttlKeyHash,
  ttlKeyId,
} from './index.ts';

describe('The id of a key is its XDR', () => {
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32).fill(9));
  const ids: Record<string, LedgerKeyId> = {
    account: accountKeyId(account(200)),
    offer: offerKeyId(account(255), 7n),
    data: dataKeyId(account(1), 'name'),
    claimableBalance: claimableBalanceKeyId(balanceId),
    liquidityPool: liquidityPoolKeyId(new xdr.PoolId(new Uint8Array(32).fill(128))),
    configSetting: configSettingKeyId(xdr.ConfigSettingId.configSettingStateArchival),
  };

  for (const [type, id] of Object.entries(ids)) {
    it(`leads back to the key: ${type}`, () => {
      const key = ledgerKeyOf(id);
      assert.equal(key.type, type);
      assert.equal(ledgerKeyId(key), id);
      assert.deepEqual(new Uint8Array(ledgerKeyXdr(id)), key.toXdr());
      assert.equal(ledgerKeyIdOfXdr(key.toXdr()), id);
    });
  }

  it('is written by hand exactly as the encoder writes it, for accounts, offers and trustlines', () => {
    const issuer = account(255);
    const short = new xdr.AlphaNum4({ assetCode: new xdr.AssetCode4('AB'), issuer });
    const long = new xdr.AlphaNum12({ assetCode: new xdr.AssetCode12('ABCDEFGH'), issuer });
    const { TrustLineAsset: A } = xdr;
    const assets = [
      A.assetTypeNative(),
      A.assetTypeCreditAlphanum4(short),
      A.assetTypeCreditAlphanum12(long),
      A.assetTypePoolShare(new xdr.PoolId(new Uint8Array(32).fill(129))),
    ];
    for (const asset of assets) {
      const key = new xdr.LedgerKeyTrustLine({ accountId: account(200), asset });
      assert.equal(trustlineKeyId(account(200), asset), ledgerKeyId(xdr.LedgerKey.trustline(key)));
    }
    for (const offerId of [0n, 1n, 255n, 2n ** 32n + 5n, 2n ** 63n - 1n, -1n, -(2n ** 63n)]) {
      const key = new xdr.LedgerKeyOffer({ sellerId: account(200), offerId });
      assert.equal(offerKeyId(account(200), offerId), ledgerKeyId(xdr.LedgerKey.offer(key)));
    }
    const key = new xdr.LedgerKeyAccount({ accountId: account(200) });
    assert.equal(accountKeyId(account(200)), ledgerKeyId(xdr.LedgerKey.account(key)));
  });

  it('is found from the entry as from the key', () => {
    const offer = offerEntry({ seller: 3, offerId: 7n, selling: 0, buying: 1, n: 1, d: 1 });
    assert.equal(entryKeyId(offer), offerKeyId(account(3), 7n));
    assert.equal(entryKeyId(accountEntry(200, 1n)), accountKeyId(account(200)));
    const share = poolShareEntry(1, 2, 3n);
    assert.equal(entryKeyId(share), ledgerKeyId(ledgerKeyOfEntry(share)));
  });

  it('leads to its TTL by its hash', () => {
    const code = ledgerKeyId(
      xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32) })),
    );
    const ttl = ledgerKeyOf(ttlKeyId(code));
    assert.equal(ttl.type, 'ttl');
    assert.deepEqual(ttl.ttl.keyHash.value, new Uint8Array(ttlKeyHash(code)));
  });
});
