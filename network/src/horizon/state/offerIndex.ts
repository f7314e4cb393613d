import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerKeyId } from '../../state/index.ts';
import { accountText } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import { sponsorOf } from '../history/historyOperation.ts';
import type { Order } from '../http/paging.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

/** Filters for offers; all given ones must match. */
export interface OfferFilter {
  /** `G…` */
  readonly seller?: string | undefined;
  /** `G…` */
  readonly sponsor?: string | undefined;
  /** In the format of `canonicalAsset`. */
  readonly selling?: string | undefined;
  readonly buying?: string | undefined;
}

const FILTERS = ['seller', 'sponsor', 'selling', 'buying'] as const;
const DIGITS = 20;

/** Indexes offers by id. */
export class OfferIndex implements StateFollower {
  readonly types = [ENTRY_TYPES.offer];
  readonly #ids = new PrefixTree<LedgerKeyId>();

  add(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const place of placesOf(entry())) this.#ids.set(place, id);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const place of placesOf(entry())) this.#ids.delete(place);
  }

  find(offerId: bigint): LedgerKeyId | undefined {
    return this.#ids.get(placeOf('', '', offerId));
  }

  /** The offers that match the first given part of a filter; the other parts have to be checked. */
  walk(filter: OfferFilter, order: Order, behind?: bigint): Iterable<LedgerKeyId> {
    const name = FILTERS.find((one) => filter[one] !== undefined);
    const value = name === undefined ? '' : (filter[name] ?? '');
    return this.#ids.walk(
      prefixOf(name ?? '', value),
      order,
      behind === undefined ? undefined : idText(behind),
    );
  }
}

/** Whether an offer matches a filter. */
export function offerMatches(entry: xdr.LedgerEntry, filter: OfferFilter): boolean {
  const facts = factsOf(entry);
  return FILTERS.every((name) => filter[name] === undefined || facts?.[name] === filter[name]);
}

function factsOf(entry: xdr.LedgerEntry): (OfferFilter & { readonly offerId: bigint }) | undefined {
  if (entry.data.type !== 'offer') return undefined;
  const { sellerId, selling, buying, offerId } = entry.data.offer;
  const sponsor = sponsorOf(entry);
  return {
    offerId,
    seller: accountText(sellerId),
    sponsor: sponsor && accountText(sponsor),
    selling: canonicalAsset(selling),
    buying: canonicalAsset(buying),
  };
}

function placesOf(entry: xdr.LedgerEntry): string[] {
  const facts = factsOf(entry);
  if (facts === undefined) return [];
  const places = [placeOf('', '', facts.offerId)];
  for (const name of FILTERS) {
    const value = facts[name];
    if (value !== undefined) places.push(placeOf(name, value, facts.offerId));
  }
  return places;
}

function placeOf(name: string, value: string, offerId: bigint): string {
  return prefixOf(name, value) + idText(offerId);
}

function prefixOf(name: string, value: string): string {
  return `${name} ${value} `;
}

function idText(offerId: bigint): string {
  return String(offerId).padStart(DIGITS, '0');
}
