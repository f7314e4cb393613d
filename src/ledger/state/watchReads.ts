/** Called around everything in a dry run that reads entries. Returns what `read` returns. */
export type WatchReads = <T>(read: () => T) => T;

/** A run that reads the same entries as a call, and changes nothing. */
export type DryRun = (watch: WatchReads) => void | Promise<void>;
