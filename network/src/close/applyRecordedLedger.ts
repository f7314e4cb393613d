import type { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, LedgerTxn, ledgerKeyId } from '../state/index.ts';
import { evictKeys } from './evict.ts';
import type { LedgerEngine } from './ledgerEngine.ts';
import { addWindowSample } from './upgrades/applyUpgrade.ts';

/**
 * Brings the engine's state from one ledger to the next from the changes that the ledger records, without applying its
 * transactions again: after a restart, and in a replay after a ledger that was computed differently. The only change that a
 * ledger does not record, the window of state sizes, is computed.
 */
export function applyRecordedLedger(engine: LedgerEngine, ledger: xdr.LedgerCloseMetaV2): void {
  const { header } = ledger.ledgerHeader;
  const ltx = new LedgerTxn(engine.state);
  ltx.header = header;
  const restored: LedgerKeyId[] = [];
  for (const change of recordedChanges(ledger)) {
    const applied = applyChange(ltx, change, longerLived);
    if (change.type === 'ledgerEntryRestored' && applied !== undefined) restored.push(applied);
  }
  for (const change of ledger.upgradesProcessing.flatMap(({ changes }) => changes)) {
    const applied = applyChange(ltx, change, asRecorded);
    if (change.type === 'ledgerEntryRestored' && applied !== undefined) restored.push(applied);
  }
  const { archived } = evictKeys(ltx, ledger.evictedKeys);
  const { archival } = engine.settings(ltx);
  if (header.ledgerSeq % archival.liveSorobanStateSizeWindowSamplePeriod === 0) {
    addWindowSample(ltx, engine.stateSize(ltx));
  }
  engine.absorb([...ltx.entryChanges()]);
  for (const id of restored) engine.state.unarchive(id);
  for (const { id, entry } of archived) engine.state.archive(id, entry);
  ltx.commit();
}

/** All changes made by the transactions of a ledger, in order. */
function* recordedChanges(ledger: xdr.LedgerCloseMetaV2): Generator<xdr.LedgerEntryChange> {
  const { txProcessing } = ledger;
  for (const { feeProcessing } of txProcessing) yield* feeProcessing;
  const classic = classicCount(ledger.txSet);
  for (const { txApplyProcessing } of txProcessing.slice(0, classic)) {
    const { txChangesBefore, operations, txChangesAfter } = v4(txApplyProcessing);
    yield* txChangesBefore;
    for (const { changes } of operations) yield* changes;
    yield* txChangesAfter;
  }
  // Soroban transactions are all prepared before the first of them runs.
  const soroban = txProcessing.slice(classic).map(({ txApplyProcessing }) => v4(txApplyProcessing));
  for (const { txChangesBefore } of soroban) yield* txChangesBefore;
  for (const { operations, txChangesAfter } of soroban) {
    for (const { changes } of operations) yield* changes;
    yield* txChangesAfter;
  }
  for (const { postTxApplyFeeProcessing } of txProcessing) yield* postTxApplyFeeProcessing;
}

/** The entry after an update, given the entry before it. */
type Update = (before: xdr.LedgerEntry | undefined, after: xdr.LedgerEntry) => xdr.LedgerEntry;

const asRecorded: Update = (_before, after) => after;

function applyChange(
  ltx: LedgerTxn,
  change: xdr.LedgerEntryChange,
  update: Update,
): LedgerKeyId | undefined {
  switch (change.type) {
    case 'ledgerEntryState':
      return undefined;
    case 'ledgerEntryRemoved':
      return replace(ltx, ledgerKeyId(change.removed), undefined);
    case 'ledgerEntryCreated':
      return replace(ltx, entryKeyId(change.created), change.created);
    case 'ledgerEntryRestored':
      return replace(ltx, entryKeyId(change.restored), change.restored);
    case 'ledgerEntryUpdated': {
      const id = entryKeyId(change.updated);
      return replace(ltx, id, update(ltx.peek(id), change.updated));
    }
  }
}

/**
 * Several transactions can extend an entry that they only read, each from the same earlier value: the longest extension counts
 * (stellar-core `ParallelApplyUtils`).
 */
function longerLived(before: xdr.LedgerEntry | undefined, after: xdr.LedgerEntry): xdr.LedgerEntry {
  if (after.data.type !== 'ttl' || before?.data.type !== 'ttl') return after;
  return before.data.ttl.liveUntilLedgerSeq > after.data.ttl.liveUntilLedgerSeq ? before : after;
}

function replace(ltx: LedgerTxn, id: LedgerKeyId, after: xdr.LedgerEntry | undefined): LedgerKeyId {
  // Entries are taken as recorded, with the ledger number that they contain.
  ltx.absorb([{ id, before: undefined, after }], undefined);
  return id;
}

/** Transactions of the first phase of a set; the second one holds those of Soroban. */
function classicCount(set: xdr.GeneralizedTransactionSet): number {
  const [phase] = set.v1TxSet.phases;
  if (phase?.type !== 'v0Components') return 0;
  return phase.v0Components.reduce(
    (sum, { txsMaybeDiscountedFee: { txs } }) => sum + txs.length,
    0,
  );
}

function v4(meta: xdr.TransactionMeta): xdr.TransactionMetaV4 {
  if (meta.type !== 'v4') throw new TypeError(`transaction meta is v4, not ${meta.type}`);
  return meta.v4;
}
