import type { xdr } from '@stellar/stellar-sdk';
import { signerSponsors } from '../../transaction/balances/index.ts';
import { signerText } from '../format/address.ts';
import { dataOf } from './entryDelta.ts';
import type { HistoryOperation } from './historyOperation.ts';

/** The account that pays the reserve of an entry, if not its owner. */
export function sponsorOf(entry: xdr.LedgerEntry | undefined): xdr.PublicKey | undefined {
  if (entry === undefined || entry.ext.type === 'v0') return undefined;
  return entry.ext.v1.sponsoringId ?? undefined;
}

/** Sponsors of an account's signers, by signer. */
export function sponsorBySigner(entry: xdr.LedgerEntry | undefined): Map<string, xdr.PublicKey> {
  const sponsors = new Map<string, xdr.PublicKey>();
  const account = dataOf(entry, 'account')?.account;
  if (account === undefined) return sponsors;
  const ids = signerSponsors(account);
  for (const [at, { key }] of account.signers.entries()) {
    const sponsor = ids[at];
    if (sponsor) sponsors.set(signerText(key), sponsor);
  }
  return sponsors;
}

/** The account that sponsors the signer or entry that an operation created. */
export function sponsorOfOperation({ body, deltas }: HistoryOperation): xdr.PublicKey | undefined {
  const signer = body.type === 'setOptions' ? body.setOptionsOp.signer : null;
  const signerKey = signer === null ? undefined : signerText(signer.key);
  for (const { type, before, after } of deltas) {
    if (signerKey !== undefined && type === 'account') {
      const sponsor = sponsorBySigner(after).get(signerKey);
      const former = sponsorBySigner(before).get(signerKey);
      if (sponsor !== undefined && !(former && sameKey(former, sponsor))) return sponsor;
    }
    if (before !== undefined || after === undefined) continue;
    const sponsor = sponsorOf(after);
    if (sponsor !== undefined) return sponsor;
  }
  return undefined;
}

function sameKey(a: xdr.PublicKey, b: xdr.PublicKey): boolean {
  return Buffer.compare(a.ed25519.value, b.ed25519.value) === 0;
}
