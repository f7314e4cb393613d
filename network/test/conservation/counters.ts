import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString } from '../../src/state/index.ts';
import { ownerOf, signerSponsors, sponsorOf } from './accountImpulses.ts';
import type { Mirror } from './mirror.ts';

interface Counters {
  subEntries: number;
  sponsored: number;
  sponsoring: number;
}

/** Asserts that every account counts its sub-entries and its sponsored and sponsoring reserves correctly. */
export function assertCounters(mirror: Mirror): void {
  const counted = count(mirror);
  for (const { data } of mirror.ofType('account')) {
    const { account } = data;
    const v2 =
      account.ext.type === 'v1' && account.ext.v1.ext.type === 'v2'
        ? account.ext.v1.ext.v2
        : undefined;
    assert.deepEqual(
      {
        subEntries: account.numSubEntries,
        sponsored: v2?.numSponsored ?? 0,
        sponsoring: v2?.numSponsoring ?? 0,
      },
      counted.get(accountIdString(account.accountId)) ?? {
        subEntries: 0,
        sponsored: 0,
        sponsoring: 0,
      },
    );
    if (v2 !== undefined) {
      assert.equal(v2.signerSponsoringIDs.length, account.signers.length);
    }
    counted.delete(accountIdString(account.accountId));
  }
  assert.deepEqual([...counted.values()], [], 'who owns or sponsors an entry exists');
}

function count(mirror: Mirror): Map<AccountIdString, Counters> {
  const counted = new Map<AccountIdString, Counters>();
  const at = (account: xdr.PublicKey): Counters => {
    const known = counted.get(accountIdString(account)) ?? {
      subEntries: 0,
      sponsored: 0,
      sponsoring: 0,
    };
    counted.set(accountIdString(account), known);
    return known;
  };
  for (const entry of mirror.entries.values()) {
    const { data } = entry;
    const owner = ownerOf(data);
    const reserves = reservesOf(data);
    if (owner !== undefined && data.type !== 'account') at(owner).subEntries += reserves;
    const sponsor = sponsorOf(entry);
    if (sponsor !== undefined) {
      at(sponsor).sponsoring += reserves;
      if (owner !== undefined) at(owner).sponsored += reserves;
    } else {
      assert.notEqual(data.type, 'claimableBalance', 'somebody sponsors every claimable balance');
    }
    if (data.type !== 'account') continue;
    const { account } = data;
    at(account.accountId).subEntries += account.signers.length;
    for (const signerSponsor of signerSponsors(account)) {
      if (signerSponsor === null) continue;
      at(signerSponsor).sponsoring += 1;
      at(account.accountId).sponsored += 1;
    }
  }
  return counted;
}

/** Base reserves of an entry: two for accounts and pool shares, one a claimant, else one. */
function reservesOf(data: xdr.LedgerEntryData): number {
  switch (data.type) {
    case 'account':
      return 2;
    case 'trustline':
      return data.trustLine.asset.type === 'assetTypePoolShare' ? 2 : 1;
    case 'claimableBalance':
      return data.claimableBalance.claimants.length;
    case 'offer':
    case 'data':
      return 1;
    default:
      return 0;
  }
}
