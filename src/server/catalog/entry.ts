import type { PaymentProtocol } from '../../protocol/index.ts';
import type { Listing } from './declaration/listing.ts';
import type { PaymentOption } from './paymentOption.ts';
import type { OwnerState } from './records/entryRow.ts';
import type { Quality, Trust } from './trust.ts';

/** A listed resource. */
export interface CatalogEntry {
  readonly listing: Listing;
  readonly payTo: string;
  readonly accepts: readonly PaymentOption[];
  readonly trust: Trust;
  readonly quality: Quality;
  readonly ownerState: OwnerState;
  /** By which entries with equal words are ordered (`evidence.ts`). */
  readonly standing: number;
  /** Position in the order of first listings. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Filters of a query. An entry must match all of them. */
export interface EntryFilters {
  readonly type?: string;
  /** Scheme, host and port, in their canonical spelling. */
  readonly origin?: string;
  readonly payTo?: string;
  readonly scheme?: string;
  readonly network?: string;
  /** Names of extensions that the entry has. */
  readonly extensions?: string | readonly string[];
  /** A part of the URL, ignoring letter case. */
  readonly urlSubstring?: string;
  readonly minSettlements?: number;
  readonly ownerVerified?: boolean;
  /** In which the last ownership check saw the resource ask for payment. */
  readonly protocol?: PaymentProtocol;
  readonly asset?: string;
  /** Atomic units, both ends included. */
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
  /** Maximum price in USDC, in atomic units: an option in another asset does not match. */
  readonly maxUsdPrice?: bigint;
}
