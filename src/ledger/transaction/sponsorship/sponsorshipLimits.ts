import type { xdr } from '@stellar/stellar-sdk';
import {
  accountAvailableBalance,
  baseReserve,
  LedgerFault,
  minBalance,
  numSponsored,
  numSponsoring,
  UINT32_MAX,
} from '../balances/index.ts';
import { isSubEntry, reservesOf } from './reserves.ts';
import type { SponsorshipFailure } from './sponsorshipFailure.ts';

/** How many sub-entries an account may have. */
const MAX_SUBENTRIES = 1000;

/** Why `sponsor` cannot take on this many reserves of `sponsored` (undefined: it can). */
export function whyNotEstablish(
  header: xdr.LedgerHeader,
  reserves: number,
  sponsor: xdr.AccountEntry,
  sponsored: xdr.AccountEntry | undefined,
): SponsorshipFailure | undefined {
  if (!canAfford(header, sponsor, reserves)) return 'lowReserve';
  if (numSponsoring(sponsor) > UINT32_MAX - reserves || !leavesCountersInRange(sponsor, reserves)) {
    return 'tooManySponsoring';
  }
  if (sponsored !== undefined && numSponsored(sponsored) > UINT32_MAX - reserves) {
    return 'tooManySponsored';
  }
  return undefined;
}

/** Why `sponsor` cannot give this many reserves back to `sponsored`. Throws where it paid fewer. */
export function whyNotRelease(
  header: xdr.LedgerHeader,
  reserves: number,
  sponsor: xdr.AccountEntry,
  sponsored: xdr.AccountEntry | undefined,
): SponsorshipFailure | undefined {
  assertCounted(reserves, sponsor, sponsored);
  if (sponsored !== undefined && !canAfford(header, sponsored, reserves)) return 'lowReserve';
  return undefined;
}

/** Throws where, by the counters, `sponsor` pays fewer reserves, or `sponsored` owes fewer. */
export function assertCounted(
  reserves: number,
  sponsor: xdr.AccountEntry,
  sponsored: xdr.AccountEntry | undefined,
): void {
  if (
    numSponsoring(sponsor) < reserves ||
    (sponsored !== undefined && numSponsored(sponsored) < reserves)
  ) {
    throw new LedgerFault('sponsorship_counter');
  }
}

/** Why a new entry cannot be had at the owner's own expense. A new account is its own owner. */
export function whyNotCreate(
  header: xdr.LedgerHeader,
  data: xdr.LedgerEntryData,
  owner: xdr.AccountEntry,
): SponsorshipFailure | undefined {
  if (data.type === 'account') {
    return data.account.balance < minBalance(header, data.account) ? 'lowReserve' : undefined;
  }
  return whyNotOwn(header, reservesOf(data), owner);
}

/** Why an account cannot pay for this many more sub-entries. */
export function whyNotOwn(
  header: xdr.LedgerHeader,
  reserves: number,
  owner: xdr.AccountEntry,
): SponsorshipFailure | undefined {
  if (hasTooManySubEntries(owner, reserves)) return 'tooManySubentries';
  return canAfford(header, owner, reserves) ? undefined : 'lowReserve';
}

/** Why a new entry cannot be had at the expense of `sponsor`. */
export function whyNotCreateSponsored(
  header: xdr.LedgerHeader,
  data: xdr.LedgerEntryData,
  sponsor: xdr.AccountEntry,
  sponsored: xdr.AccountEntry | undefined,
): SponsorshipFailure | undefined {
  const reserves = reservesOf(data);
  if (sponsored !== undefined && isSubEntry(data) && hasTooManySubEntries(sponsored, reserves)) {
    return 'tooManySubentries';
  }
  return whyNotEstablish(header, reserves, sponsor, sponsored);
}

/** True where this many more sub-entries would be too many. */
export function hasTooManySubEntries(owner: xdr.AccountEntry, more: number): boolean {
  return owner.numSubEntries > MAX_SUBENTRIES - more || !leavesCountersInRange(owner, more);
}

function canAfford(header: xdr.LedgerHeader, payer: xdr.AccountEntry, reserves: number): boolean {
  return accountAvailableBalance(header, payer) >= BigInt(reserves) * baseReserve(header);
}

/** The sum of sub-entries and sponsored reserves must remain a 32-bit number. */
function leavesCountersInRange(account: xdr.AccountEntry, more: number): boolean {
  return numSponsoring(account) + account.numSubEntries + more <= UINT32_MAX;
}
