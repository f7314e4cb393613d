import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString, type LedgerKeyId } from '../../state/index.ts';
import { accountText, signerText } from '../format/address.ts';
import { sponsorBySigner, sponsorOf } from '../history/historyOperation.ts';
import type { Order } from '../http/paging.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

/** Indexes accounts by their additional signers, not by their master keys. */
export class AccountsBySigner implements StateFollower {
  readonly types = [ENTRY_TYPES.account];
  readonly #accounts = new PrefixTree<AccountIdString>();

  add(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const [place, account] of signedPlaces(entry())) this.#accounts.set(place, account);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const [place] of signedPlaces(entry())) this.#accounts.delete(place);
  }

  /** @param signer `G…`, `T…`, `X…` or `P…` */
  walk(signer: string, order: Order, behind?: AccountIdString): Iterable<AccountIdString> {
    return this.#accounts.walk(`${signer} `, order, behind);
  }
}

/** Indexes accounts by who sponsors a reserve for them: of the account, a signer, a trustline or data. */
export class AccountsBySponsor implements StateFollower {
  readonly types = [ENTRY_TYPES.account, ENTRY_TYPES.trustline, ENTRY_TYPES.data];
  readonly #accounts = new PrefixTree<{ readonly account: AccountIdString; reserves: number }>();

  add(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const [place, account] of sponsoredPlaces(entry())) this.#count(place, account, 1);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const [place, account] of sponsoredPlaces(entry())) this.#count(place, account, -1);
  }

  /** @param sponsor `G…` */
  *walk(sponsor: string, order: Order, behind?: AccountIdString): Generator<AccountIdString> {
    for (const { account } of this.#accounts.walk(`${sponsor} `, order, behind)) yield account;
  }

  /** @param change 1 or -1 */
  #count(place: string, account: AccountIdString, change: number): void {
    const known = this.#accounts.get(place) ?? { account, reserves: 0 };
    known.reserves += change;
    if (known.reserves > 0) this.#accounts.set(place, known);
    else this.#accounts.delete(place);
  }
}

type Place = readonly [place: string, account: AccountIdString];

function signedPlaces({ data }: xdr.LedgerEntry): Place[] {
  if (data.type !== 'account') return [];
  const account = accountIdString(data.account.accountId);
  return data.account.signers.map(({ key }) => [`${signerText(key)} ${account}`, account]);
}

/** One place for each sponsored reserve. */
function sponsoredPlaces(entry: xdr.LedgerEntry): Place[] {
  const owner = ownerOf(entry);
  if (owner === undefined) return [];
  const sponsors = [sponsorOf(entry), ...sponsorBySigner(entry).values()];
  return sponsors.flatMap((sponsor): Place[] =>
    sponsor === undefined ? [] : [[`${accountText(sponsor)} ${owner}`, owner]],
  );
}

function ownerOf({ data }: xdr.LedgerEntry): AccountIdString | undefined {
  switch (data.type) {
    case 'account':
      return accountIdString(data.account.accountId);
    case 'trustline':
      return accountIdString(data.trustLine.accountId);
    case 'data':
      return accountIdString(data.data.accountId);
    default:
      return undefined;
  }
}
