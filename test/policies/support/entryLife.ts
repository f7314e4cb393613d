import assert from 'node:assert/strict';
import { xdr } from '@stellar/stellar-sdk';
import type { LocalNetwork } from '../../support/localStack.ts';

type Network = Pick<LocalNetwork, 'ledger' | 'network'>;

/** Returns how many ledgers an entry has left. */
export async function lifeOf({ network }: Network, key: xdr.LedgerKey): Promise<number> {
  const { liveUntil, latestLedger } = await network.getLedgerEntries([key]);
  return (liveUntil[0] ?? 0) - latestLedger;
}

/** Sets how many ledgers an entry has left, at least two. */
export async function setLife(
  { ledger, network }: Network,
  key: xdr.LedgerKey,
  ledgers: number,
): Promise<void> {
  const { entries, latestLedger } = await network.getLedgerEntries([key]);
  const [data] = entries;
  assert.ok(data);
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: latestLedger,
    data,
    ext: xdr.LedgerEntryExt.v0(),
  });
  await ledger.control('svc_setEntry', {
    entry: entry.toXdr('base64'),
    liveUntilLedger: latestLedger + Math.max(ledgers, 2),
  });
}
