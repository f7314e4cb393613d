import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
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
  ttlKeyHash,
  ttlKeyId,
} from './index.ts';
import { account, accountEntry, offerEntry, poolShareEntry } from './testEntries.ts';

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

  it('is found from the entry as from the key', () => {
    const offer = offerEntry({ seller: 3, offerId: 7n, selling: 0, buying: 1, n: 1, d: 1 });
    assert.equal(entryKeyId(offer), offerKeyId(account(3), 7n));
    assert.equal(entryKeyId(accountEntry(200, 1n)), accountKeyId(account(200)));
    const share = poolShareEntry(1, 2, 3n);
    assert.equal(entryKeyId(share), ledgerKeyId(ledgerKeyOfEntry(share)));
  });

  it('leads to the TTL that belongs to it by its hash', () => {
    const code = ledgerKeyId(
      xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32) })),
    );
    const ttl = ledgerKeyOf(ttlKeyId(code));
    assert.equal(ttl.type, 'ttl');
    assert.deepEqual(ttl.ttl.keyHash.value, new Uint8Array(ttlKeyHash(code)));
  });
});
