/** Serves the network as a history archive to readers of its state, such as `stellar snapshot create`. */
export { ArchiveError, HistoryArchive } from './historyArchive.ts';
