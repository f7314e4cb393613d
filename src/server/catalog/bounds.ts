/** How much the catalog takes in, and from whom. */
export interface CatalogBounds {
  readonly entries: number;
  /** Of the listings as they are kept, in characters. */
  readonly bytes: number;
  /** Of one recipient: a hundredth of the whole, so that a hundred of them are needed to fill it. */
  readonly entriesPerSeller: number;
  readonly bytesPerSeller: number;
  /** Keys that a recipient still owns after their entries have gone. */
  readonly tombstonesPerSeller: number;
  /** An unverified entry that nobody has paid for since may go when the catalog is full. */
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

/** Most options that an entry lists: one a scheme, network and asset; the oldest goes first. */
export const MAX_OPTIONS = 10;
