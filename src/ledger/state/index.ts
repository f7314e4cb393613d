export { entryXdr, rememberEntryXdr } from './entryXdr.ts';
export * from './ledgerKey.ts';
export { LedgerState } from './ledgerState.ts';
export { type CommitTarget, LedgerTxn } from './ledgerTxn.ts';
export type { EntryChange, LedgerView, OfferPlace, TransientKey } from './ledgerView.ts';
export { newAccount, startingSequence } from './newAccount.ts';
export { comparePlaces } from './orderBook.ts';
export { RecentMap } from './recentMap.ts';
export { SortedTree } from './sortedTree.ts';
