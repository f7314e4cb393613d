/** Limits on what the catalog stores. */
export interface CatalogBounds {
  readonly entries: number;
  /** Total size of the stored listings, in characters. */
  readonly bytes: number;
  /** Entries of one recipient: a hundredth of the total, so that it takes a hundred recipients to fill the catalog. */
  readonly entriesPerSeller: number;
  readonly bytesPerSeller: number;
  /** Keys that a recipient still owns after their entries were removed. */
  readonly tombstonesPerSeller: number;
  /** An unverified entry without a payment for this long can be removed when the catalog is full. */
  readonly staleMs: number;
}

const DAY_MS = 86_400_000;

export const DEFAULT_BOUNDS: CatalogBounds = {
  entries: 100_000,
  bytes: 512 * 1024 * 1024,
  entriesPerSeller: 1_000,
  bytesPerSeller: 8 * 1024 * 1024,
  tombstonesPerSeller: 5_000,
  staleMs: 90 * DAY_MS,
};

/** Maximum number of options of an entry: one for each scheme, network and asset; the oldest is removed first. */
export const MAX_OPTIONS = 10;
