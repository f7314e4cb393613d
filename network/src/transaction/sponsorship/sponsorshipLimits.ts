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
import { isSubEntry, reservesOf } from './counters.ts';
import type { SponsorshipFailure } from './sponsorshipFailure.ts';

/** Maximum number of sub-entries of an account. */
const MAX_SUBENTRIES = 1000;

/** Returns why `sponsor` cannot pay this many reserves of `sponsored`; undefined if it can. */
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

/** Returns why `sponsor` cannot return this many reserves to `sponsored`. Throws if it pays fewer. */
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

/** Throws if, according to the counters, `sponsor` pays fewer reserves or `sponsored` has fewer paid. */
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

/** Returns why the owner itself cannot pay for a new entry. A new account is its own owner. */
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

/** Returns why an account cannot pay for this many more sub-entries. */
export function whyNotOwn(
  header: xdr.LedgerHeader,
  reserves: number,
  owner: xdr.AccountEntry,
): SponsorshipFailure | undefined {
  if (hasTooManySubEntries(owner, reserves)) return 'tooManySubentries';
  return canAfford(header, owner, reserves) ? undefined : 'lowReserve';
}

/** Returns why `sponsor` cannot pay for a new entry. */
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

/** True if this many additional sub-entries would be too many. */
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
