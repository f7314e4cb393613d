import { xdr } from '@stellar/stellar-sdk';
import {
  entryKeyId,
  type LedgerKeyId,
  type LedgerTxn,
  ttlKeyHash,
  ttlKeyId,
} from '../state/index.ts';
import { nativeCoins } from './nativeCoins.ts';

/** Stores an entry, replacing any with the same key, and updates the header's totals. */
export function putEntry(ltx: LedgerTxn, networkId: Uint8Array, entry: xdr.LedgerEntry): void {
  const id = entryKeyId(entry);
  const before = ltx.peek(id);
  if (before === undefined) ltx.create(entry);
  else ltx.update(entry);
  const coins = nativeCoins(networkId, entry) - nativeCoins(networkId, before);
  const { header } = ltx;
  const offerId = entry.data.type === 'offer' ? entry.data.offer.offerId : 0n;
  ltx.header = new xdr.LedgerHeader({
    ...header,
    totalCoins: header.totalCoins + coins,
    idPool: offerId > header.idPool ? offerId : header.idPool,
  });
}

/** Removes an entry and its TTL, if it has one. */
export function removeEntry(ltx: LedgerTxn, networkId: Uint8Array, id: LedgerKeyId): void {
  const before = ltx.peek(id);
  if (before === undefined) return;
  ltx.erase(id);
  const ttl = ttlKeyId(id);
  if (ltx.peek(ttl) !== undefined) ltx.erase(ttl);
  const { header } = ltx;
  const totalCoins = header.totalCoins - nativeCoins(networkId, before);
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
