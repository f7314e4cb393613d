/** The network as a history archive: for readers of its state, such as `stellar snapshot create`. */
export { ArchiveError } from './archiveError.ts';
export { HistoryArchive } from './historyArchive.ts';
