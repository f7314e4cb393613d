import type { xdr } from '@stellar/stellar-sdk';
import { evictKeys } from '../close/evict.ts';
import type { LedgerEngine } from '../close/ledgerEngine.ts';
import { type LedgerKeyId, LedgerTxn } from '../state/index.ts';
import { keyOf } from './changeList.ts';

/**
 * Puts the state where a recorded ledger left it, so that the ledgers after one that came out
 * differently are still judged on their own.
 */
export function adoptRecorded(engine: LedgerEngine, recorded: xdr.LedgerCloseMetaV2): void {
  const { state } = engine;
  const ltx = new LedgerTxn(state);
  ltx.header = recorded.ledgerHeader.header;
  const restored = new Set<LedgerKeyId>();
  for (const change of recordedChanges(recorded)) {
    const id = keyOf(change);
    if (change.type === 'ledgerEntryRestored') restored.add(id);
    adopt(ltx, id, change);
  }
  const eviction = evictKeys(ltx, recorded.evictedKeys);
  engine.absorb([...ltx.entryChanges()]);
  for (const id of restored) state.unarchive(id);
  for (const { id, entry } of eviction.archived) state.archive(id, entry);
  ltx.commit();
}

/** All changes of a ledger, in the order in which they happened. */
function* recordedChanges({
  txProcessing,
  upgradesProcessing,
}: xdr.LedgerCloseMetaV2): Generator<xdr.LedgerEntryChange> {
  for (const { feeProcessing } of txProcessing) yield* feeProcessing;
  for (const { txApplyProcessing: meta } of txProcessing) {
    if (meta.type !== 'v4') continue;
    yield* meta.v4.txChangesBefore;
    for (const { changes } of meta.v4.operations) yield* changes;
    yield* meta.v4.txChangesAfter;
  }
  for (const { postTxApplyFeeProcessing } of txProcessing) yield* postTxApplyFeeProcessing;
  for (const { changes } of upgradesProcessing) yield* changes;
}

function adopt(ltx: LedgerTxn, id: LedgerKeyId, change: xdr.LedgerEntryChange): void {
  const before = ltx.peek(id);
  switch (change.type) {
    case 'ledgerEntryState':
      return;
    case 'ledgerEntryRemoved':
      if (before !== undefined) ltx.erase(id);
      return;
    case 'ledgerEntryRestored':
      // Of an entry whose TTL alone came back, the meta tells the unchanged value.
      if (before !== undefined && before.data.type !== 'ttl') return;
  }
  const entry = change.value;
  if (before === undefined) ltx.create(entry);
  else if (isLater(before, entry)) ltx.update(entry);
}

/** Two transactions that extend one TTL both tell of the value before either. */
function isLater(before: xdr.LedgerEntry, after: xdr.LedgerEntry): boolean {
  if (before.data.type !== 'ttl' || after.data.type !== 'ttl') return true;
  return after.data.ttl.liveUntilLedgerSeq > before.data.ttl.liveUntilLedgerSeq;
}
