import { xdr } from '@stellar/stellar-sdk';

/** Ledger entries and headers for the tests of this folder, told apart by small numbers. */

export function account(n: number): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32).fill(n));
}

export function asset(n: number): xdr.Asset {
  if (n === 0) return xdr.Asset.assetTypeNative();
  return xdr.Asset.assetTypeCreditAlphanum4(
    new xdr.AlphaNum4({ assetCode: new xdr.AssetCode4(`A${n}`), issuer: account(200) }),
  );
}

export function accountEntry(n: number, balance: bigint): xdr.LedgerEntry {
  return entry(
    xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId: account(n),
        balance,
        seqNum: 0n,
        numSubEntries: 0,
        inflationDest: null,
        flags: 0,
        homeDomain: '',
        thresholds: new Uint8Array([1, 0, 0, 0]),
        signers: [],
        ext: xdr.AccountEntryExt.v0(),
      }),
    ),
  );
}

export interface TestOffer {
  readonly seller: number;
  readonly offerId: bigint;
  readonly selling: number;
  readonly buying: number;
  readonly n: number;
  readonly d: number;
}

export function offerEntry(offer: TestOffer): xdr.LedgerEntry {
  return entry(
    xdr.LedgerEntryData.offer(
      new xdr.OfferEntry({
        sellerId: account(offer.seller),
        offerId: offer.offerId,
        selling: asset(offer.selling),
        buying: asset(offer.buying),
        amount: 1n,
        price: new xdr.Price({ n: offer.n, d: offer.d }),
        flags: 0,
        ext: xdr.OfferEntryExt.v0(),
      }),
    ),
  );
}

export function poolShareEntry(owner: number, pool: number, balance: bigint): xdr.LedgerEntry {
  const poolId = new xdr.PoolId(new Uint8Array(32).fill(pool));
  return trustlineEntry(owner, xdr.TrustLineAsset.assetTypePoolShare(poolId), balance);
}

export function assetLineEntry(owner: number, code: number, balance: bigint): xdr.LedgerEntry {
  const { value } = asset(code);
  if (!(value instanceof xdr.AlphaNum4)) throw new RangeError('the native asset has no trustline');
  return trustlineEntry(owner, xdr.TrustLineAsset.assetTypeCreditAlphanum4(value), balance);
}

export function header(ledgerSeq: number): xdr.LedgerHeader {
  const zero = new Uint8Array(32);
  return new xdr.LedgerHeader({
    ledgerVersion: 27,
    previousLedgerHash: zero,
    scpValue: new xdr.StellarValue({
      txSetHash: zero,
      closeTime: 0n,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: zero,
    bucketListHash: zero,
    ledgerSeq,
    totalCoins: 0n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 100,
    maxTxSetSize: 100,
    skipList: [zero, zero, zero, zero],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}

function trustlineEntry(
  owner: number,
  lineAsset: xdr.TrustLineAsset,
  balance: bigint,
): xdr.LedgerEntry {
  return entry(
    xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId: account(owner),
        asset: lineAsset,
        balance,
        limit: 1000n,
        flags: 1,
        ext: xdr.TrustLineEntryExt.v0(),
      }),
    ),
  );
}

function entry(data: xdr.LedgerEntryData): xdr.LedgerEntry {
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() });
}
