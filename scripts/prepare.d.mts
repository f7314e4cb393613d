/** The folder of the project. */
export const root: string;
/** Installs the packages of each folder whose installed packages do not match its lock file. */
export function install(...folders: readonly string[]): Promise<void>;
/** Bundles into dist/ if a source is newer than the bundles there. */
export function buildIfStale(): Promise<void>;
