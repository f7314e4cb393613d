import type { xdr } from '@stellar/stellar-sdk';
import type { AccountIdString, LedgerKeyId } from './ledgerKey.ts';

/** The place of an offer in its order book: by price, then by age (offer id). */
export interface OfferPlace {
  readonly price: xdr.Price;
  readonly offerId: bigint;
}

/**
 * Facts that live only while a transaction is applied and never reach the ledger: who sponsors
 * whom (CAP-33), for one. They nest and roll back like entries.
 */
export type TransientKey = string & { readonly __brand: 'TransientKey' };

/** What may be read of the ledger, at the root or inside a nested transaction. */
export interface LedgerView {
  readonly header: xdr.LedgerHeader;
  /** The newest version of an entry, or undefined. Does not touch it. */
  peek(id: LedgerKeyId): xdr.LedgerEntry | undefined;
  /**
   * The best offer that sells `selling` for `buying`: lowest price, then oldest. With `after`, the
   * best of those that stand strictly behind that place.
   */
  peekBestOffer(
    selling: xdr.Asset,
    buying: xdr.Asset,
    after?: OfferPlace,
  ): xdr.LedgerEntry | undefined;
  /** Ids of all offers of an account. */
  offersOf(account: AccountIdString): ReadonlySet<LedgerKeyId>;
  /** Ids of all offers there are: for what must look at each of them, a raised base reserve. */
  allOffers(): ReadonlySet<LedgerKeyId>;
  /** Ids of all pool share trustlines of an account. */
  poolShareTrustlinesOf(account: AccountIdString): ReadonlySet<LedgerKeyId>;
  /** A fact that lives as long as the transaction. */
  transient(key: TransientKey): unknown;
}

/** One entry as a nested transaction leaves it; `undefined` means that it is erased. */
export interface EntryChange {
  readonly id: LedgerKeyId;
  readonly before: xdr.LedgerEntry | undefined;
  readonly after: xdr.LedgerEntry | undefined;
}
