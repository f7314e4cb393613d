import { xdr } from '@stellar/stellar-sdk';
import { sha256 } from '../../../common/machine/sha256.ts';
import { decodeXdr, encodeXdr } from '../xdr/index.ts';
import { accountBytes, assetBytes, int64Bytes, latin1 } from './keyBytes.ts';

/**
 * Identity of a ledger entry: the XDR bytes of its `LedgerKey`, one byte per character (latin1).
 * Strings hash and compare quickly in a `Map`, and their order is the byte order of the XDR.
 */
export type LedgerKeyId = string & { readonly __brand: 'LedgerKeyId' };

/** Identity of an account: the 32 bytes of its Ed25519 public key, one byte per character. */
export type AccountIdString = string & { readonly __brand: 'AccountIdString' };

const ACCOUNT_KEY_PREFIX = '\0\0\0\0\0\0\0\0';
const TRUSTLINE_KEY_PREFIX = '\0\0\0\x01';
const OFFER_KEY_PREFIX = '\0\0\0\x02';
const TTL_KEY_PREFIX = '\0\0\0\x09';

/** The id of a ledger key. */
export function ledgerKeyId(key: xdr.LedgerKey): LedgerKeyId {
  return latin1(encodeXdr(key)) as LedgerKeyId;
}

/** The id of a key given as XDR bytes, which must be a canonical `LedgerKey`. */
export function ledgerKeyIdOfXdr(bytes: Uint8Array): LedgerKeyId {
  return latin1(bytes) as LedgerKeyId;
}

/** The XDR bytes of an id. */
export function ledgerKeyXdr(id: LedgerKeyId): Buffer {
  return Buffer.from(id, 'latin1');
}

/** The ledger key of an id. */
export function ledgerKeyOf(id: LedgerKeyId): xdr.LedgerKey {
  return decodeXdr(xdr.LedgerKey, ledgerKeyXdr(id));
}

export function accountIdString(id: xdr.PublicKey): AccountIdString {
  return latin1(id.ed25519.value) as AccountIdString;
}

/** The key of an account, built without the XDR encoder, because accounts are looked up most often. */
export function accountKeyId(id: xdr.PublicKey): LedgerKeyId {
  return (ACCOUNT_KEY_PREFIX + accountIdString(id)) as LedgerKeyId;
}

export function trustlineKeyId(account: xdr.PublicKey, asset: xdr.TrustLineAsset): LedgerKeyId {
  return (TRUSTLINE_KEY_PREFIX + accountBytes(account) + assetBytes(asset)) as LedgerKeyId;
}

export function offerKeyId(seller: xdr.PublicKey, offerId: bigint): LedgerKeyId {
  return (OFFER_KEY_PREFIX + accountBytes(seller) + int64Bytes(offerId)) as LedgerKeyId;
}

export function dataKeyId(account: xdr.PublicKey, dataName: xdr.XdrString | string): LedgerKeyId {
  return ledgerKeyId(xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: account, dataName })));
}

export function claimableBalanceKeyId(balanceId: xdr.ClaimableBalanceId): LedgerKeyId {
  return ledgerKeyId(
    xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId })),
  );
}

export function liquidityPoolKeyId(poolId: xdr.PoolId): LedgerKeyId {
  return ledgerKeyId(
    xdr.LedgerKey.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: poolId })),
  );
}

export function configSettingKeyId(id: xdr.ConfigSettingId): LedgerKeyId {
  return ledgerKeyId(
    xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId: id })),
  );
}

/** The id of the `TTL` entry for a contract data or contract code key (CAP-46-12). */
export function ttlKeyId(of: LedgerKeyId): LedgerKeyId {
  return ttlKeyIdOfHash(ttlKeyHash(of));
}

/** The id of a `TTL` entry, from the SHA-256 of its entry's key. */
export function ttlKeyIdOfHash(keyHash: Uint8Array): LedgerKeyId {
  return (TTL_KEY_PREFIX + latin1(keyHash)) as LedgerKeyId;
}

/** SHA-256 of the key's XDR, which is part of the `TTL` entry's own key. */
export function ttlKeyHash(of: LedgerKeyId): Uint8Array {
  return sha256(ledgerKeyXdr(of));
}

/** The key under which an entry is stored. */
export function ledgerKeyOfEntry(entry: xdr.LedgerEntry): xdr.LedgerKey {
  const { data } = entry;
  switch (data.type) {
    case 'account':
      return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: data.account.accountId }));
    case 'trustline':
      return xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({
          accountId: data.trustLine.accountId,
          asset: data.trustLine.asset,
        }),
      );
    case 'offer':
      return xdr.LedgerKey.offer(
        new xdr.LedgerKeyOffer({ sellerId: data.offer.sellerId, offerId: data.offer.offerId }),
      );
    case 'data':
      return xdr.LedgerKey.data(
        new xdr.LedgerKeyData({ accountId: data.data.accountId, dataName: data.data.dataName }),
      );
    case 'claimableBalance':
      return xdr.LedgerKey.claimableBalance(
        new xdr.LedgerKeyClaimableBalance({ balanceId: data.claimableBalance.balanceId }),
      );
    case 'liquidityPool':
      return xdr.LedgerKey.liquidityPool(
        new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: data.liquidityPool.liquidityPoolId }),
      );
    case 'contractData':
      return xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract: data.contractData.contract,
          key: data.contractData.key,
          durability: data.contractData.durability,
        }),
      );
    case 'contractCode':
      return xdr.LedgerKey.contractCode(
        new xdr.LedgerKeyContractCode({ hash: data.contractCode.hash }),
      );
    case 'configSetting':
      return xdr.LedgerKey.configSetting(
        new xdr.LedgerKeyConfigSetting({
          configSettingId: xdr.ConfigSettingId.fromName(data.configSetting.type),
        }),
      );
    case 'ttl':
      return xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: data.ttl.keyHash }));
  }
}

/** The key id under which an entry is stored. */
export function entryKeyId(entry: xdr.LedgerEntry): LedgerKeyId {
  const { data } = entry;
  switch (data.type) {
    case 'account':
      return accountKeyId(data.account.accountId);
    case 'trustline':
      return trustlineKeyId(data.trustLine.accountId, data.trustLine.asset);
    case 'offer':
      return offerKeyId(data.offer.sellerId, data.offer.offerId);
    default:
      return ledgerKeyId(ledgerKeyOfEntry(entry));
  }
}
