import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  account,
  accountEntry,
  asset,
  assetLineEntry,
  offerEntry,
  poolShareEntry,
} from '../../test/helpers/testEntries.ts';
import { entryKeyId, ledgerKeyId, ledgerKeyOfEntry } from './index.ts';

const D = xdr.LedgerEntryData;
const K = xdr.LedgerKey;
const NO_EXT = xdr.ExtensionPoint.v0();
const HASH = new Uint8Array(32).fill(7);
const CONTRACT = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(HASH));
const BALANCE_ID = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(HASH);
const POOL_ID = new xdr.PoolId(HASH);
const { temporary } = xdr.ContractDataDurability;

const entryOf = (data: xdr.LedgerEntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() });

/** Each type of entry, with the key that the network gives it (`LedgerEntryKey` of stellar-core). */
const CASES: Readonly<Record<string, readonly [xdr.LedgerEntry, xdr.LedgerKey]>> = {
  account: [accountEntry(1, 5n), K.account(new xdr.LedgerKeyAccount({ accountId: account(1) }))],
  trustline: [
    assetLineEntry(1, 2, 5n),
    K.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: account(1),
        asset: xdr.TrustLineAsset.fromXdr(asset(2).toXdr()),
      }),
    ),
  ],
  'pool share': [
    poolShareEntry(1, 7, 5n),
    K.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: account(1),
        asset: xdr.TrustLineAsset.assetTypePoolShare(POOL_ID),
      }),
    ),
  ],
  offer: [
    offerEntry({ seller: 1, offerId: 9n, selling: 0, buying: 1, n: 1, d: 1 }),
    K.offer(new xdr.LedgerKeyOffer({ sellerId: account(1), offerId: 9n })),
  ],
  data: [
    entryOf(
      D.data(
        new xdr.DataEntry({
          ...{ accountId: account(1), dataName: 'name', dataValue: Uint8Array.of(1) },
          ext: xdr.DataEntryExt.v0(),
        }),
      ),
    ),
    K.data(new xdr.LedgerKeyData({ accountId: account(1), dataName: 'name' })),
  ],
  claimableBalance: [
    entryOf(
      D.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          ...{ balanceId: BALANCE_ID, claimants: [], asset: asset(0), amount: 1n },
          ext: xdr.ClaimableBalanceEntryExt.v0(),
        }),
      ),
    ),
    K.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId: BALANCE_ID })),
  ],
  liquidityPool: [
    entryOf(
      D.liquidityPool(
        new xdr.LiquidityPoolEntry({
          liquidityPoolId: POOL_ID,
          body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(
            new xdr.LiquidityPoolEntryConstantProduct({
              params: new xdr.LiquidityPoolConstantProductParameters({
                ...{ assetA: asset(0), assetB: asset(1), fee: 30 },
              }),
              ...{ reserveA: 1n, reserveB: 1n, totalPoolShares: 1n, poolSharesTrustLineCount: 1n },
            }),
          ),
        }),
      ),
    ),
    K.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: POOL_ID })),
  ],
  contractData: [
    entryOf(
      D.contractData(
        new xdr.ContractDataEntry({
          ...{ ext: NO_EXT, contract: CONTRACT, key: xdr.ScVal.scvU32(3), durability: temporary },
          val: xdr.ScVal.scvVoid(),
        }),
      ),
    ),
    K.contractData(
      new xdr.LedgerKeyContractData({
        ...{ contract: CONTRACT, key: xdr.ScVal.scvU32(3), durability: temporary },
      }),
    ),
  ],
  contractCode: [
    entryOf(
      D.contractCode(
        new xdr.ContractCodeEntry({
          ...{ ext: xdr.ContractCodeEntryExt.v0(), hash: HASH, code: Uint8Array.of(1) },
        }),
      ),
    ),
    K.contractCode(new xdr.LedgerKeyContractCode({ hash: HASH })),
  ],
  configSetting: [
    entryOf(D.configSetting(xdr.ConfigSettingEntry.configSettingContractMaxSizeBytes(1))),
    K.configSetting(
      new xdr.LedgerKeyConfigSetting({
        configSettingId: xdr.ConfigSettingId.configSettingContractMaxSizeBytes,
      }),
    ),
  ],
  ttl: [
    entryOf(D.ttl(new xdr.TtlEntry({ keyHash: HASH, liveUntilLedgerSeq: 5 }))),
    K.ttl(new xdr.LedgerKeyTtl({ keyHash: HASH })),
  ],
};

describe('An entry is stored under the key that identifies it', () => {
  for (const [type, [entry, key]] of Object.entries(CASES)) {
    it(type, () => {
      assert.equal(ledgerKeyOfEntry(entry).toXdr('base64'), key.toXdr('base64'));
      assert.equal(entryKeyId(entry), ledgerKeyId(key));
    });
  }
});
