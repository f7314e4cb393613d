import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerKeyId } from '../../state/index.ts';
import { accountText } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { sponsorOf } from '../history/historyOperation.ts';
import type { Order } from '../http/paging.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

/** Filters for claimable balances; all given ones must match. */
export interface ClaimableBalanceFilter {
  /** `G…` */
  readonly claimant?: string | undefined;
  /** `G…` */
  readonly sponsor?: string | undefined;
  /** In the format of `canonicalAsset`. */
  readonly asset?: string | undefined;
}

const FILTERS = ['claimant', 'sponsor', 'asset'] as const;
const DIGITS = 10;

/** Indexes claimable balances by the ledger that last modified them, then by id. */
export class ClaimableBalanceIndex implements StateFollower {
  readonly types = [ENTRY_TYPES.claimableBalance];
  readonly #ids = new PrefixTree<LedgerKeyId>();

  add(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const place of placesOf(entry())) this.#ids.set(place, id);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const place of placesOf(entry())) this.#ids.delete(place);
  }

  /** The balances that match the first given part of a filter; the other parts have to be checked. */
  walk(
    filter: ClaimableBalanceFilter,
    order: Order,
    behind?: { readonly ledger: number; readonly id: string },
  ): Iterable<LedgerKeyId> {
    const name = FILTERS.find((one) => filter[one] !== undefined);
    const value = name === undefined ? '' : (filter[name] ?? '');
    const rest = behind && restOf(behind.ledger, behind.id);
    return this.#ids.walk(prefixOf(name ?? '', value), order, rest);
  }
}

/** Whether a claimable balance matches a filter. */
export function claimableBalanceMatches(
  entry: xdr.LedgerEntry,
  filter: ClaimableBalanceFilter,
): boolean {
  const facts = factsOf(entry);
  return FILTERS.every((name) => {
    const wanted = filter[name];
    return wanted === undefined || facts[name].includes(wanted);
  });
}

function factsOf(entry: xdr.LedgerEntry): Record<(typeof FILTERS)[number], readonly string[]> {
  if (entry.data.type !== 'claimableBalance') return { claimant: [], sponsor: [], asset: [] };
  const { claimants, asset } = entry.data.claimableBalance;
  const sponsor = sponsorOf(entry);
  return {
    claimant: claimants.map(({ v0 }) => accountText(v0.destination)),
    sponsor: sponsor === undefined ? [] : [accountText(sponsor)],
    asset: [canonicalAsset(asset)],
  };
}

function placesOf(entry: xdr.LedgerEntry): string[] {
  if (entry.data.type !== 'claimableBalance') return [];
  const facts = factsOf(entry);
  const id = balanceIdText(entry.data.claimableBalance.balanceId);
  const rest = restOf(entry.lastModifiedLedgerSeq, id);
  const values = FILTERS.flatMap((name) => facts[name].map((value) => prefixOf(name, value)));
  return [prefixOf('', ''), ...values].map((prefix) => prefix + rest);
}

function prefixOf(name: string, value: string): string {
  return `${name} ${value} `;
}

function restOf(ledger: number, id: string): string {
  return `${String(ledger).padStart(DIGITS, '0')}-${id}`;
}
