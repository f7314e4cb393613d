export { RecentMap } from './entryStore.ts';
export { entryXdr, rememberEntryXdr } from './entryXdr.ts';
export * from './ledgerKey.ts';
export { LedgerState } from './ledgerState.ts';
export { type CommitTarget, LedgerTxn } from './ledgerTxn.ts';
export type {
  DryRun,
  EntryChange,
  LedgerView,
  OfferPlace,
  TransientKey,
  WatchReads,
} from './ledgerView.ts';
export { newAccount, startingSequence } from './newAccount.ts';
export { comparePlaces, SortedTree } from './orderBook.ts';
export { storedEntry } from './storedEntry.ts';
