import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  LedgerFault,
  mustLoadAccount,
  signerSponsors,
  updateAccount,
  withAccountExtensionV2,
} from '../balances/index.ts';
import { addSponsored, addSponsoring, addSubEntries } from './counters.ts';
import type { SponsorshipFailure } from './sponsorshipFailure.ts';
import {
  assertCounted,
  hasTooManySubEntries,
  whyNotEstablish,
  whyNotOwn,
} from './sponsorshipLimits.ts';
import { sponsorOf } from './sponsorshipSession.ts';

/**
 * Adds a signer that the account does not have yet, and pays its reserve from the sponsor's balance if the account is being
 * sponsored, otherwise from its own. Returns why the reserve cannot be paid, if so; the caller then drops the changes.
 * (stellar-core `SponsorshipUtils.cpp`, `createSignerWithPossibleSponsorship`)
 */
export function addSigner(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  signer: xdr.Signer,
): SponsorshipFailure | undefined {
  const { header } = ltx;
  const account = mustLoadAccount(ltx, owner);
  const sponsor = sponsorOf(ltx, owner);
  if (sponsor === undefined) {
    const failure = whyNotOwn(header, 1, account);
    if (failure !== undefined) return failure;
  } else {
    if (hasTooManySubEntries(account, 1)) return 'tooManySubentries';
    const failure = whyNotEstablish(header, 1, mustLoadAccount(ltx, sponsor), account);
    if (failure !== undefined) return failure;
  }
  const { index } = findSigner(account.signers, signer.key);
  updateAccount(ltx, withSignerAt(account, index, signer));
  addSubEntries(ltx, owner, 1);
  if (sponsor !== undefined) establishSignerSponsorship(ltx, owner, index, sponsor);
  return undefined;
}

/**
 * Removes the signer at a position and returns its reserve to its sponsor or the account.
 * (stellar-core `SponsorshipUtils.cpp`, `removeSignerWithPossibleSponsorship`)
 */
export function removeSigner(ltx: LedgerTxn, owner: xdr.PublicKey, index: number): void {
  const account = mustLoadAccount(ltx, owner);
  const sponsor = signerSponsors(account)[index];
  if (sponsor !== undefined && sponsor !== null) {
    assertCounted(1, mustLoadAccount(ltx, sponsor), account);
    releaseSignerSponsorship(ltx, owner, index);
  }
  updateAccount(ltx, withoutSignerAt(mustLoadAccount(ltx, owner), index));
  addSubEntries(ltx, owner, -1);
}

/** Makes `sponsor` pay for the signer at a position. */
export function establishSignerSponsorship(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  index: number,
  sponsor: xdr.PublicKey,
): void {
  setSignerSponsor(ltx, owner, index, sponsor);
  addSponsored(ltx, owner, 1);
  addSponsoring(ltx, sponsor, 1);
}

/** Makes the account pay again for its signer at a position. */
export function releaseSignerSponsorship(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  index: number,
): void {
  const sponsor = mustHaveSignerSponsor(mustLoadAccount(ltx, owner), index);
  setSignerSponsor(ltx, owner, index, null);
  addSponsored(ltx, owner, -1);
  addSponsoring(ltx, sponsor, -1);
}

/** Makes another account pay for the signer at a position. */
export function transferSignerSponsorship(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  index: number,
  newSponsor: xdr.PublicKey,
): void {
  const sponsor = mustHaveSignerSponsor(mustLoadAccount(ltx, owner), index);
  setSignerSponsor(ltx, owner, index, newSponsor);
  addSponsoring(ltx, newSponsor, 1);
  addSponsoring(ltx, sponsor, -1);
}

function mustHaveSignerSponsor(account: xdr.AccountEntry, index: number): xdr.PublicKey {
  const sponsor = signerSponsors(account)[index];
  if (sponsor === undefined || sponsor === null) throw new LedgerFault('sponsorship_mismatch');
  return sponsor;
}

function setSignerSponsor(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  index: number,
  sponsor: xdr.PublicKey | null,
): void {
  const account = mustLoadAccount(ltx, owner);
  const sponsors = [...signerSponsors(account)];
  if (index >= sponsors.length) throw new LedgerFault('signer_missing');
  sponsors[index] = sponsor;
  updateAccount(ltx, withAccountExtensionV2(account, { signerSponsoringIDs: sponsors }));
}

function withSignerAt(
  account: xdr.AccountEntry,
  index: number,
  signer: xdr.Signer,
): xdr.AccountEntry {
  const signers = [...account.signers];
  signers.splice(index, 0, signer);
  return withSigners(account, signers, (sponsors) => sponsors.splice(index, 0, null));
}

function withoutSignerAt(account: xdr.AccountEntry, index: number): xdr.AccountEntry {
  if (index >= account.signers.length) throw new LedgerFault('signer_missing');
  const signers = account.signers.filter((_, at) => at !== index);
  return withSigners(account, signers, (sponsors) => sponsors.splice(index, 1));
}

/** Signers and their sponsors are in two lists with the same order; the second exists only from v2 on. */
function withSigners(
  account: xdr.AccountEntry,
  signers: xdr.Signer[],
  editSponsors: (sponsors: (xdr.PublicKey | null)[]) => void,
): xdr.AccountEntry {
  const changed = new xdr.AccountEntry({ ...account, signers });
  const hasV2 = account.ext.type === 'v1' && account.ext.v1.ext.type === 'v2';
  if (!hasV2) return changed;
  const sponsors = [...signerSponsors(account)];
  editSponsors(sponsors);
  return withAccountExtensionV2(changed, { signerSponsoringIDs: sponsors });
}

const RANK: Record<xdr.SignerKey['type'], number> = {
  signerKeyTypeEd25519: 0,
  signerKeyTypePreAuthTx: 1,
  signerKeyTypeHashX: 2,
  signerKeyTypeEd25519SignedPayload: 3,
};

/** Orders signer keys as in an account: by type, key and payload. */
function compareSignerKeys(a: xdr.SignerKey, b: xdr.SignerKey): number {
  if (
    a.type === 'signerKeyTypeEd25519SignedPayload' &&
    b.type === 'signerKeyTypeEd25519SignedPayload'
  ) {
    const left = a.ed25519SignedPayload;
    const right = b.ed25519SignedPayload;
    return (
      Buffer.compare(left.ed25519.value, right.ed25519.value) ||
      Buffer.compare(left.payload, right.payload)
    );
  }
  return RANK[a.type] - RANK[b.type] || Buffer.compare(keyBytes(a), keyBytes(b));
}

/** The position of a signer among an account's signers, or where to insert it. */
export function findSigner(
  signers: readonly xdr.Signer[],
  key: xdr.SignerKey,
): { readonly index: number; readonly signer: xdr.Signer | undefined } {
  const found = signers.findIndex((signer) => compareSignerKeys(signer.key, key) >= 0);
  const index = found === -1 ? signers.length : found;
  const signer = signers[index];
  const matches = signer !== undefined && compareSignerKeys(signer.key, key) === 0;
  return { index, signer: matches ? signer : undefined };
}

function keyBytes(key: xdr.SignerKey): Uint8Array {
  switch (key.type) {
    case 'signerKeyTypeEd25519':
      return key.ed25519.value;
    case 'signerKeyTypePreAuthTx':
      return key.preAuthTx.value;
    case 'signerKeyTypeHashX':
      return key.hashX.value;
    case 'signerKeyTypeEd25519SignedPayload':
      return key.ed25519SignedPayload.ed25519.value;
  }
}
