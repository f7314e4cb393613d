import { xdr } from '@stellar/stellar-sdk';
import {
  entryKeyId,
  type LedgerKeyId,
  type LedgerTxn,
  ttlKeyHash,
  ttlKeyId,
} from '../state/index.ts';
import { isNative } from '../transaction/balances/index.ts';
import { assetContractId } from '../transaction/events/index.ts';
import { balanceOfContract } from './contractBalance.ts';
import { invalid } from './controlParams.ts';

const INT64_MAX = 2n ** 63n - 1n;
/** The highest offer id that an entry may set; the ids above it are for later offers. */
const MAX_OFFER_ID = INT64_MAX - 2n ** 32n;

/**
 * Stores an entry, replacing any with the same key, and updates the header's totals.
 * @throws RpcError if no ledger can record the totals
 */
export function putEntry(ltx: LedgerTxn, networkId: Uint8Array, entry: xdr.LedgerEntry): void {
  const id = entryKeyId(entry);
  const before = ltx.peek(id);
  if (before === undefined) ltx.create(entry);
  else ltx.update(entry);
  const coins = nativeCoins(networkId, entry) - nativeCoins(networkId, before);
  const { header } = ltx;
  const offerId = entry.data.type === 'offer' ? entry.data.offer.offerId : 0n;
  if (offerId > MAX_OFFER_ID) throw invalid('the offer id leaves too few numbers for later offers');
  ltx.header = new xdr.LedgerHeader({
    ...header,
    totalCoins: recordableCoins(header.totalCoins + coins),
    idPool: offerId > header.idPool ? offerId : header.idPool,
  });
}

/**
 * Returns the sum of all XLM, in stroops, if a ledger's header can record it: as a signed integer of 64 bits.
 * @throws RpcError
 */
export function recordableCoins(stroops: bigint): bigint {
  if (stroops <= INT64_MAX && stroops >= -INT64_MAX) return stroops;
  throw invalid(
    'the balances of all accounts and contracts would add up to more than a ledger can record, 922337203685.4775807 XLM',
  );
}

/** Removes an entry and its TTL, if it has one. */
export function removeEntry(ltx: LedgerTxn, networkId: Uint8Array, id: LedgerKeyId): void {
  const before = ltx.peek(id);
  if (before === undefined) return;
  ltx.erase(id);
  const ttl = ttlKeyId(id);
  if (ltx.peek(ttl) !== undefined) ltx.erase(ttl);
  const { header } = ltx;
  const totalCoins = recordableCoins(header.totalCoins - nativeCoins(networkId, before));
  ltx.header = new xdr.LedgerHeader({ ...header, totalCoins });
}

/** Sets the TTL of a contract entry. */
export function putTtl(ltx: LedgerTxn, of: LedgerKeyId, liveUntilLedgerSeq: number): void {
  const ttl = new xdr.TtlEntry({ keyHash: ttlKeyHash(of), liveUntilLedgerSeq });
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: ltx.header.ledgerSeq,
    data: xdr.LedgerEntryData.ttl(ttl),
    ext: xdr.LedgerEntryExt.v0(),
  });
  if (ltx.peek(ttlKeyId(of)) === undefined) ltx.create(entry);
  else ltx.update(entry);
}

/** Stroops of XLM that an entry holds. All entries and the fee pool add up to the header's `totalCoins`. */
function nativeCoins(networkId: Uint8Array, entry: xdr.LedgerEntry | undefined): bigint {
  switch (entry?.data.type) {
    case 'account':
      return entry.data.account.balance;
    case 'claimableBalance': {
      const { asset, amount } = entry.data.claimableBalance;
      return isNative(asset) ? amount : 0n;
    }
    case 'liquidityPool': {
      const { params, reserveA } = entry.data.liquidityPool.body.constantProduct;
      // XLM sorts before every other asset.
      return isNative(params.assetA) ? reserveA : 0n;
    }
    case 'contractData': {
      const { contractData } = entry.data;
      const native = assetContractId(networkId, xdr.Asset.assetTypeNative());
      return balanceOfContract(contractData, native) ?? 0n;
    }
    default:
      return 0n;
  }
}
