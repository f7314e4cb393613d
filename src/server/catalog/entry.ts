import type { Listing } from './declaration/listing.ts';
import type { PaymentOption } from './paymentOption.ts';
import type { OwnerState } from './records/entryRow.ts';
import type { Trust } from './trust.ts';

/** A resource on the list. */
export interface CatalogEntry {
  readonly listing: Listing;
  readonly payTo: string;
  readonly accepts: readonly PaymentOption[];
  readonly trust: Trust;
  readonly ownerState: OwnerState;
  /** Place in the order of first listings. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Which entries are asked for. All that is given has to hold. */
export interface EntryFilters {
  readonly type?: string;
  readonly payTo?: string;
  readonly scheme?: string;
  readonly network?: string;
  /** Names of extensions that the entry carries. */
  readonly extensions?: string | readonly string[];
  /** A part of the address, letter case aside. */
  readonly urlSubstring?: string;
  readonly minSettlements?: number;
  readonly ownerVerified?: boolean;
  readonly asset?: string;
  /** Atomic units, both included. */
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
}
