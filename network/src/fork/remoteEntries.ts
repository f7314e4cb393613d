import { xdr } from '@stellar/stellar-sdk';
import * as z from 'zod/mini';
import { type LedgerKeyId, ledgerKeyId, ledgerKeyXdr } from '../state/index.ts';
import type { RemoteRpc } from './remoteRpc.ts';

/** Maximum number of keys per call. */
const KEYS_OF_CALL = 200;

const answer = z.object({
  entries: z.nullish(
    z.array(
      z.object({
        key: z.string(),
        xdr: z.string(),
        lastModifiedLedgerSeq: z.optional(z.number()),
        liveUntilLedgerSeq: z.optional(z.number()),
        extXdr: z.optional(z.string()),
      }),
    ),
  ),
});

/** An entry of another network. */
export interface RemoteEntry {
  readonly id: LedgerKeyId;
  readonly entry: xdr.LedgerEntry;
  /** Undefined for entries without a TTL. */
  readonly liveUntil: number | undefined;
}

/** Reads entries; those that do not exist are left out. @throws ForkError */
export async function readRemoteEntries(
  remote: RemoteRpc,
  ids: readonly LedgerKeyId[],
): Promise<RemoteEntry[]> {
  const found: RemoteEntry[] = [];
  for (let at = 0; at < ids.length; at += KEYS_OF_CALL) {
    const keys = ids.slice(at, at + KEYS_OF_CALL).map((id) => ledgerKeyXdr(id).toString('base64'));
    const { entries } = await remote.call('getLedgerEntries', { keys }, answer);
    for (const one of entries ?? []) {
      const ext =
        one.extXdr === undefined
          ? xdr.LedgerEntryExt.v0()
          : xdr.LedgerEntryExt.fromXdr(one.extXdr, 'base64');
      const data = xdr.LedgerEntryData.fromXdr(one.xdr, 'base64');
      const lastModifiedLedgerSeq = one.lastModifiedLedgerSeq ?? 0;
      found.push({
        id: ledgerKeyId(xdr.LedgerKey.fromXdr(one.key, 'base64')),
        entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq, data, ext }),
        liveUntil: one.liveUntilLedgerSeq,
      });
    }
  }
  return found;
}
