import type { xdr } from '@stellar/stellar-sdk';
import type { AccountIdString, LedgerKeyId } from './ledgerKey.ts';

/** The position of an offer in its order book: by price, then by age (offer id). */
export interface OfferPlace {
  readonly price: xdr.Price;
  readonly offerId: bigint;
}

/**
 * Keys of facts that exist only while a transaction is applied and never reach the ledger, such as who sponsors whom (CAP-33).
 * Facts nest and roll back like entries.
 */
export type TransientKey = string & { readonly __brand: 'TransientKey' };

/** The readable part of the ledger, at the root or inside a nested transaction. */
export interface LedgerView {
  readonly header: xdr.LedgerHeader;
  /** The newest version of an entry, or undefined. Does not record it. */
  peek(id: LedgerKeyId): xdr.LedgerEntry | undefined;
  /**
   * The best offer that sells `selling` for `buying`: lowest price, then oldest. With `after`, the best offer strictly after
   * that position.
   */
  peekBestOffer(
    selling: xdr.Asset,
    buying: xdr.Asset,
    after?: OfferPlace,
  ): xdr.LedgerEntry | undefined;
  /** Ids of all offers of an account. */
  offersOf(account: AccountIdString): ReadonlySet<LedgerKeyId>;
  /** Ids of all existing offers, each of which has to be checked when the base reserve is raised. */
  allOffers(): ReadonlySet<LedgerKeyId>;
  /** Ids of all pool share trustlines of an account. */
  poolShareTrustlinesOf(account: AccountIdString): ReadonlySet<LedgerKeyId>;
  /** A fact that exists as long as the transaction. */
  transient(key: TransientKey): unknown;
}

/** One entry before and after a nested transaction; `undefined` means that it does not exist. */
export interface EntryChange {
  readonly id: LedgerKeyId;
  readonly before: xdr.LedgerEntry | undefined;
  readonly after: xdr.LedgerEntry | undefined;
}

/** Called around everything in a dry run that reads entries. Returns the result of `read`. */
export type WatchReads = <T>(read: () => T) => T;

/** A run that reads the same entries as a call without changing anything. */
export type DryRun = (watch: WatchReads) => void | Promise<void>;
