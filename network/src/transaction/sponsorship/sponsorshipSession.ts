import { xdr } from '@stellar/stellar-sdk';
import {
  accountIdString,
  type LedgerTxn,
  type LedgerView,
  type TransientKey,
} from '../../state/index.ts';
import { LedgerFault } from '../balances/index.ts';

const OPEN_SPONSORSHIPS = 'sponsorships' as TransientKey;

/** The account that pays for the future reserves of another one, between `Begin…` and `End…` (CAP-33). */
export function sponsorOf(view: LedgerView, account: xdr.PublicKey): xdr.PublicKey | undefined {
  const sponsor = view.transient(sponsorKey(account));
  return xdr.PublicKey.is(sponsor) ? sponsor : undefined;
}

/** True while the account pays for the future reserves of any other account. */
export function isSponsoringOthers(view: LedgerView, account: xdr.PublicKey): boolean {
  return count(view, sponsoringKey(account)) > 0;
}

/** True if a sponsorship is still open: a transaction that ends in this state is `txBAD_SPONSORSHIP`. */
export function hasOpenSponsorship(view: LedgerView): boolean {
  return count(view, OPEN_SPONSORSHIPS) > 0;
}

/** Makes `sponsor` pay for the new reserves of `sponsored` from here on. */
export function beginSponsorship(
  ltx: LedgerTxn,
  sponsor: xdr.PublicKey,
  sponsored: xdr.PublicKey,
): void {
  ltx.setTransient(sponsorKey(sponsored), sponsor);
  add(ltx, sponsoringKey(sponsor), 1);
  add(ltx, OPEN_SPONSORSHIPS, 1);
}

/** Ends the payment for new reserves of `sponsored`. False if nobody paid. */
export function endSponsorship(ltx: LedgerTxn, sponsored: xdr.PublicKey): boolean {
  const sponsor = sponsorOf(ltx, sponsored);
  if (sponsor === undefined) return false;
  add(ltx, sponsoringKey(sponsor), -1);
  add(ltx, OPEN_SPONSORSHIPS, -1);
  ltx.setTransient(sponsorKey(sponsored), undefined);
  return true;
}

function sponsorKey(sponsored: xdr.PublicKey): TransientKey {
  return `sponsor of ${accountIdString(sponsored)}` as TransientKey;
}

function sponsoringKey(sponsor: xdr.PublicKey): TransientKey {
  return `sponsored by ${accountIdString(sponsor)}` as TransientKey;
}

function count(view: LedgerView, key: TransientKey): number {
  const fact = view.transient(key);
  return typeof fact === 'number' ? fact : 0;
}

function add(ltx: LedgerTxn, key: TransientKey, delta: number): void {
  const sum = count(ltx, key) + delta;
  if (sum < 0) throw new LedgerFault('sponsorship_counter');
  ltx.setTransient(key, sum);
}
