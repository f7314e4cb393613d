/** Called around everything in a dry run that reads entries. Returns the result of `read`. */
export type WatchReads = <T>(read: () => T) => T;

/** A run that reads the same entries as a call without changing anything. */
export type DryRun = (watch: WatchReads) => void | Promise<void>;
