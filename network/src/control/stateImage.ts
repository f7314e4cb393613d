import { xdr } from '@stellar/stellar-sdk';
import type { ArchiveMoves } from '../close/index.ts';
import {
  type LedgerKeyId,
  type LedgerState,
  type LedgerTxn,
  ledgerKeyId,
  ledgerKeyOf,
} from '../state/index.ts';
import { recordableCoins } from './putEntry.ts';

/** The entire state after a ledger. Entries are immutable, so nothing is copied. */
export interface StateImage {
  readonly header: xdr.LedgerHeader;
  readonly entries: ReadonlyMap<LedgerKeyId, Uint8Array>;
  readonly archived: ReadonlyMap<LedgerKeyId, xdr.LedgerEntry>;
}

/** Bytes of an entry before its content: the ledger that last modified it. */
const LAST_MODIFIED_BYTES = 4;

export function imageOf(state: LedgerState): StateImage {
  return {
    header: state.header,
    entries: new Map([...state.entries()].map(({ id, xdr: bytes }) => [id, bytes])),
    archived: new Map(state.archivedEntries()),
  };
}

/**
 * Restores the state of an image. Entries have as many ledgers left to live as they had then. Ledger numbers and time do not go
 * back: only the other header fields are taken from the image.
 * @param keep entries to keep if the image does not have them
 * @throws RpcError if no ledger can record the XLM of the image and of the entries to keep
 */
export function restoreImage(
  ltx: LedgerTxn,
  state: LedgerState,
  image: StateImage,
  keep: readonly LedgerKeyId[] = [],
): ArchiveMoves {
  const moves = moveArchive(ltx, state, image);
  const kept = new Set(keep.filter((id) => !image.entries.has(id)));
  let coins = image.header.totalCoins;
  for (const id of kept) {
    const entry = state.peek(id);
    if (entry?.data.type === 'account') coins += entry.data.account.balance;
  }
  const later = ltx.header.ledgerSeq - image.header.ledgerSeq;
  const now = new Map([...state.entries()].map(({ id, xdr: bytes }) => [id, bytes]));
  const leaving = new Set(moves.evicted.map(ledgerKeyId));
  for (const id of now.keys()) {
    if (!image.entries.has(id) && !kept.has(id) && !leaving.has(id)) ltx.erase(id);
  }
  for (const [id, bytes] of image.entries) {
    const wanted = entryThen(bytes, later);
    const current = now.get(id);
    if (current !== undefined && sameContent(current, wanted.bytes)) continue;
    const entry = wanted.entry ?? xdr.LedgerEntry.fromXdr(bytes);
    if (ltx.peek(id) === undefined) ltx.create(entry);
    else ltx.update(entry);
  }
  const { feePool, idPool, baseFee, baseReserve, maxTxSetSize, inflationSeq, ext } = image.header;
  ltx.header = new xdr.LedgerHeader({
    ...ltx.header,
    ...{ totalCoins: recordableCoins(coins), feePool, idPool, inflationSeq, ext },
    ...{ baseFee, baseReserve, maxTxSetSize },
  });
  return moves;
}

/** Adds the entries that are to be archived to the live state, and lists those that leave the archive. */
function moveArchive(ltx: LedgerTxn, state: LedgerState, image: StateImage): ArchiveMoves {
  const restored = new Map<LedgerKeyId, xdr.LedgerEntry>();
  const evicted: xdr.LedgerKey[] = [];
  for (const [id, entry] of state.archivedEntries()) {
    if (!image.archived.has(id)) restored.set(id, entry);
  }
  for (const [id, entry] of image.archived) {
    const archived = state.archived(id);
    if (archived !== undefined && sameContent(archived.toXdr(), entry.toXdr())) continue;
    evicted.push(ledgerKeyOf(id));
    if (ltx.peek(id) === undefined) ltx.create(entry);
    else ltx.update(entry);
  }
  return { restored, evicted };
}

/** Offset of an entry's type in its XDR. */
const TYPE_AT = 4;
const TTL = 9;
const UINT32_MAX = 0xffffffff;

/** An entry of an image as it has to be `later` ledgers later, also decoded if decoding was necessary. */
function entryThen(
  bytes: Uint8Array,
  later: number,
): { readonly bytes: Uint8Array; readonly entry?: xdr.LedgerEntry } {
  if (new DataView(bytes.buffer, bytes.byteOffset).getInt32(TYPE_AT) !== TTL) return { bytes };
  const entry = xdr.LedgerEntry.fromXdr(bytes);
  if (entry.data.type !== 'ttl') return { bytes };
  const { keyHash, liveUntilLedgerSeq } = entry.data.ttl;
  const until = Math.min(Math.max(0, liveUntilLedgerSeq + later), UINT32_MAX);
  const ttl = new xdr.TtlEntry({ keyHash, liveUntilLedgerSeq: until });
  const moved = new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.ttl(ttl) });
  return { bytes: moved.toXdr(), entry: moved };
}

function sameContent(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a.subarray(LAST_MODIFIED_BYTES), b.subarray(LAST_MODIFIED_BYTES)) === 0;
}
