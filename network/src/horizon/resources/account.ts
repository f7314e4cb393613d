import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString, type LedgerKeyId } from '../../state/index.ts';
import {
  accountExtensionV3,
  isAuthImmutable,
  isAuthRequired,
  isAuthRevocable,
  isClawbackEnabledOnAccount,
  numSponsored,
  numSponsoring,
  signerSponsors,
} from '../../transaction/balances/index.ts';
import { accountText, signerText, signerTypeText } from '../format/address.ts';
import { creditText } from '../format/asset.ts';
import { base64Text, hexText } from '../format/hex.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Links } from '../http/horizonRequest.ts';
import { OwnedEntries } from '../state/ownedEntries.ts';
import { nativeBalance, sponsorText, type TrustlineBalance, trustlineBalance } from './balance.ts';

/** An account in the form of `/accounts/{id}`. */
export type AccountResource = ReturnType<typeof accountResource>;

/** An account with all its balances, signers and data. */
export function accountResource(
  view: HorizonView,
  links: Links,
  entry: xdr.LedgerEntry,
  account: xdr.AccountEntry,
) {
  const address = accountText(account.accountId);
  const owner = accountIdString(account.accountId);
  const [masterWeight = 0, low = 0, medium = 0, high = 0] = account.thresholds.value;
  const self = `/accounts/${address}`;
  return {
    _links: {
      self: links.to(self),
      ...links.history(self),
      offers: links.paged(`${self}/offers`),
      trades: links.paged(`${self}/trades`),
      data: links.to(`${self}/data/{key}`),
    },
    id: address,
    account_id: address,
    sequence: String(account.seqNum),
    ...sequenceFields(account),
    subentry_count: account.numSubEntries,
    inflation_destination:
      account.inflationDest === null ? undefined : accountText(account.inflationDest),
    home_domain: account.homeDomain.length === 0 ? undefined : account.homeDomain.toString(),
    last_modified_ledger: entry.lastModifiedLedgerSeq,
    last_modified_time: view.closeTimeText(entry.lastModifiedLedgerSeq),
    thresholds: { low_threshold: low, med_threshold: medium, high_threshold: high },
    flags: accountFlags(account),
    balances: balancesOf(view, account, owner),
    signers: signersOf(account, address, masterWeight),
    data: dataOf(view, owner),
    num_sponsoring: numSponsoring(account),
    num_sponsored: numSponsored(account),
    sponsor: sponsorText(entry),
    paging_token: address,
  };
}

/** An issuer's authorization flags, as shown in accounts and assets. */
export function accountFlags(account: xdr.AccountEntry) {
  return {
    auth_required: isAuthRequired(account),
    auth_revocable: isAuthRevocable(account),
    auth_immutable: isAuthImmutable(account),
    auth_clawback_enabled: isClawbackEnabledOnAccount(account),
  };
}

function sequenceFields(account: xdr.AccountEntry) {
  const extension = accountExtensionV3(account);
  if (extension === undefined) return {};
  return {
    sequence_ledger: extension.seqLedger || undefined,
    sequence_time: String(extension.seqTime),
  };
}

/** Trustlines by code, issuer and pool; the native asset comes last. */
function balancesOf(view: HorizonView, account: xdr.AccountEntry, owner: AccountIdString) {
  const lines: { readonly place: string; readonly balance: TrustlineBalance }[] = [];
  for (const id of view.indexes.get(OwnedEntries).trustlines(owner)) {
    const entry = view.state.peek(id);
    if (entry?.data.type !== 'trustline') continue;
    const { trustLine } = entry.data;
    lines.push({ place: placeOf(trustLine.asset), balance: trustlineBalance(entry, trustLine) });
  }
  lines.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
  return [...lines.map(({ balance }) => balance), nativeBalance(account)];
}

function placeOf(asset: xdr.TrustLineAsset): string {
  if (asset.type === 'assetTypePoolShare') return `\0\0${hexText(asset.liquidityPoolId.value)}`;
  const credit = creditText(asset);
  return credit === undefined ? '' : `${credit.code}\0${credit.issuer}\0`;
}

function signersOf(account: xdr.AccountEntry, address: string, masterWeight: number) {
  const sponsors = signerSponsors(account);
  const master = { weight: masterWeight, key: address, type: 'ed25519_public_key' };
  const signers = account.signers.map(({ key, weight }, at) => {
    const sponsor = sponsors[at];
    return {
      weight,
      key: signerText(key),
      type: signerTypeText(key),
      sponsor: sponsor ? accountText(sponsor) : undefined,
    };
  });
  const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1);
  // A master key that can sign is listed among the others, one that cannot is listed after them.
  return masterWeight > 0 ? [...signers, master].sort(byKey) : [...signers.sort(byKey), master];
}

function dataOf(view: HorizonView, owner: AccountIdString): Record<string, string> {
  const data: Record<string, string> = {};
  for (const entry of entriesOf(view, view.indexes.get(OwnedEntries).data(owner))) {
    if (entry.data.type !== 'data') continue;
    const { dataName, dataValue } = entry.data.data;
    data[dataName.toString()] = base64Text(dataValue.value);
  }
  return data;
}

function* entriesOf(view: HorizonView, ids: Iterable<LedgerKeyId>): Generator<xdr.LedgerEntry> {
  for (const id of ids) {
    const entry = view.state.peek(id);
    if (entry !== undefined) yield entry;
  }
}
