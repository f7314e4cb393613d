import { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, type LedgerState, ledgerKeyId } from '../state/index.ts';

/**
 * Brings a state from one ledger to the next by what the ledger records of itself, without applying anything again.
 *
 * What stellar-core changes at the end of a ledger without recording it (the window of state sizes, the place of the
 * eviction scan) is not in the record, and so not done here.
 */
export function applyRecordedChanges(state: LedgerState, ledger: xdr.LedgerCloseMetaV2): void {
  const { txProcessing } = ledger;
  const apply = (changes: readonly xdr.LedgerEntryChange[]): void => {
    for (const change of changes) applyChange(state, change);
  };

  for (const { feeProcessing } of txProcessing) apply(feeProcessing);
  const classic = classicCount(ledger.txSet);
  for (const { txApplyProcessing } of txProcessing.slice(0, classic)) {
    const meta = v4(txApplyProcessing);
    apply(meta.txChangesBefore);
    for (const { changes } of meta.operations) apply(changes);
    apply(meta.txChangesAfter);
  }
  // Soroban transactions are all prepared before the first of them runs.
  const soroban = txProcessing.slice(classic).map(({ txApplyProcessing }) => v4(txApplyProcessing));
  for (const { txChangesBefore } of soroban) apply(txChangesBefore);
  for (const { operations, txChangesAfter } of soroban) {
    for (const { changes } of operations) apply(changes);
    apply(txChangesAfter);
  }
  for (const { postTxApplyFeeProcessing } of txProcessing) apply(postTxApplyFeeProcessing);
  for (const { changes } of ledger.upgradesProcessing) apply(changes);
  for (const key of ledger.evictedKeys) evict(state, key);
  state.header = ledger.ledgerHeader.header;
}

function applyChange(state: LedgerState, change: xdr.LedgerEntryChange): void {
  switch (change.type) {
    case 'ledgerEntryState':
      return;
    case 'ledgerEntryRemoved':
      replace(state, ledgerKeyId(change.removed), undefined);
      return;
    case 'ledgerEntryRestored': {
      const id = entryKeyId(change.restored);
      state.unarchive(id);
      replace(state, id, change.restored);
      return;
    }
    case 'ledgerEntryCreated':
      replace(state, entryKeyId(change.created), change.created);
      return;
    case 'ledgerEntryUpdated': {
      const id = entryKeyId(change.updated);
      replace(state, id, longerLived(state.peek(id), change.updated));
      return;
    }
  }
}

/**
 * Several transactions may prolong an entry that they only read, each from the same earlier value: the longest counts
 * (stellar-core's `ParallelApplyUtils`).
 */
function longerLived(before: xdr.LedgerEntry | undefined, after: xdr.LedgerEntry): xdr.LedgerEntry {
  if (after.data.type !== 'ttl' || before?.data.type !== 'ttl') return after;
  return before.data.ttl.liveUntilLedgerSeq > after.data.ttl.liveUntilLedgerSeq ? before : after;
}

function evict(state: LedgerState, key: xdr.LedgerKey): void {
  const id = ledgerKeyId(key);
  const entry = state.peek(id);
  if (entry === undefined) return;
  const { data } = entry;
  const archived =
    data.type === 'contractCode' ||
    (data.type === 'contractData' &&
      data.contractData.durability === xdr.ContractDataDurability.persistent);
  if (archived) state.archive(id, entry);
  replace(state, id, undefined);
}

function replace(state: LedgerState, id: LedgerKeyId, after: xdr.LedgerEntry | undefined): void {
  state.absorb([{ id, before: state.peek(id), after }], undefined);
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
