import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString } from '../../src/state/index.ts';
import {
  numSponsored,
  numSponsoring,
  signerSponsors,
} from '../../src/transaction/balances/index.ts';
import { entrySponsor, isSubEntry, reservesOf } from '../../src/transaction/sponsorship/index.ts';

interface Counters {
  subEntries: number;
  sponsored: number;
  sponsoring: number;
}

/**
 * What must hold after every transaction: each account counts exactly the sub-entries it has, the
 * reserves that others pay for it and those that it pays for others (CAP-33).
 */
export function assertCountersMatchEntries(entries: readonly xdr.LedgerEntry[]): void {
  const expected = countEntries(entries);
  for (const { data } of entries) {
    if (data.type !== 'account') continue;
    const { account } = data;
    const id = accountIdString(account.accountId);
    const places = signerSponsors(account).length;
    assert.equal(places, account.signers.length, 'each signer has a place for its sponsor');
    const actual: Counters = {
      subEntries: account.numSubEntries,
      sponsored: numSponsored(account),
      sponsoring: numSponsoring(account),
    };
    assert.deepEqual(actual, expected.get(id) ?? NONE, 'counters match the entries');
    expected.delete(id);
  }
  const orphans = [...expected.values()].filter((counters) => counters.sponsoring > 0);
  assert.deepEqual(orphans, [], 'every sponsor exists');
}

/** All native balances: of accounts, claimable balances and pools. */
export function totalLumens(entries: readonly xdr.LedgerEntry[]): bigint {
  return entries.reduce((sum, { data }) => {
    if (data.type === 'account') return sum + data.account.balance;
    if (data.type === 'claimableBalance') {
      const { asset, amount } = data.claimableBalance;
      return asset.type === 'assetTypeNative' ? sum + amount : sum;
    }
    if (data.type === 'liquidityPool') {
      const { params, reserveA } = data.liquidityPool.body.constantProduct;
      return params.assetA.type === 'assetTypeNative' ? sum + reserveA : sum;
    }
    return sum;
  }, 0n);
}

const NONE: Counters = { subEntries: 0, sponsored: 0, sponsoring: 0 };

function countEntries(entries: readonly xdr.LedgerEntry[]): Map<AccountIdString, Counters> {
  const counters = new Map<AccountIdString, Counters>();
  const of = (account: xdr.PublicKey): Counters => {
    const id = accountIdString(account);
    const known = counters.get(id) ?? { ...NONE };
    counters.set(id, known);
    return known;
  };
  for (const entry of entries) {
    const owner = ownerOf(entry.data);
    if (entry.data.type === 'account') countSigners(entry.data.account, of);
    if (!hasReserve(entry.data)) continue;
    const reserves = reservesOf(entry.data);
    if (owner !== undefined && isSubEntry(entry.data)) of(owner).subEntries += reserves;
    const sponsor = entrySponsor(entry);
    if (sponsor === undefined) continue;
    of(sponsor).sponsoring += reserves;
    if (owner !== undefined) of(owner).sponsored += reserves;
  }
  return counters;
}

function countSigners(account: xdr.AccountEntry, of: (account: xdr.PublicKey) => Counters): void {
  const own = of(account.accountId);
  own.subEntries += account.signers.length;
  for (const sponsor of signerSponsors(account)) {
    if (sponsor === null) continue;
    own.sponsored += 1;
    of(sponsor).sponsoring += 1;
  }
}

function hasReserve(data: xdr.LedgerEntryData): boolean {
  return ['account', 'trustline', 'offer', 'data', 'claimableBalance'].includes(data.type);
}

function ownerOf(data: xdr.LedgerEntryData): xdr.PublicKey | undefined {
  switch (data.type) {
    case 'account':
      return data.account.accountId;
    case 'trustline':
      return data.trustLine.accountId;
    case 'offer':
      return data.offer.sellerId;
    case 'data':
      return data.data.accountId;
    default:
      return undefined;
  }
}
