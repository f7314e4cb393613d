import { xdr } from '@stellar/stellar-sdk';

const NO_LIABILITIES = new xdr.Liabilities({ buying: 0n, selling: 0n });

/** The parts of an account that are in its extensions; defaults if it has none. */
export interface AccountExtension {
  readonly liabilities: xdr.Liabilities;
  readonly v2: xdr.AccountEntryExtensionV2 | undefined;
}

export function accountExtension(account: xdr.AccountEntry): AccountExtension {
  if (account.ext.type === 'v0') return { liabilities: NO_LIABILITIES, v2: undefined };
  const { liabilities, ext } = account.ext.v1;
  return { liabilities, v2: ext.type === 'v2' ? ext.v2 : undefined };
}

/** The sequence extension (CAP-21), or undefined if the account has none yet. */
export function accountExtensionV3(
  account: xdr.AccountEntry,
): xdr.AccountEntryExtensionV3 | undefined {
  const { v2 } = accountExtension(account);
  return v2?.ext.type === 'v3' ? v2.ext.v3 : undefined;
}

/** The number of this account's reserves that other accounts pay (CAP-33). */
export function numSponsored(account: xdr.AccountEntry): number {
  return accountExtension(account).v2?.numSponsored ?? 0;
}

/** The number of other accounts' reserves that this account pays (CAP-33). */
export function numSponsoring(account: xdr.AccountEntry): number {
  return accountExtension(account).v2?.numSponsoring ?? 0;
}

/** The sponsor of each signer, in the order of the signers; null for a signer without one. */
export function signerSponsors(account: xdr.AccountEntry): readonly (xdr.PublicKey | null)[] {
  return accountExtension(account).v2?.signerSponsoringIDs ?? account.signers.map(() => null);
}

/** The account with these liabilities; raises it to extension v1. */
export function withAccountLiabilities(
  account: xdr.AccountEntry,
  liabilities: { readonly buying?: bigint; readonly selling?: bigint },
): xdr.AccountEntry {
  const before = accountExtension(account);
  return withExtension(account, {
    liabilities: new xdr.Liabilities({ ...before.liabilities, ...liabilities }),
    v2: before.v2,
  });
}

/** The account with this sponsorship data; raises it to extension v2. */
export function withAccountExtensionV2(
  account: xdr.AccountEntry,
  change: {
    readonly numSponsored?: number;
    readonly numSponsoring?: number;
    readonly signerSponsoringIDs?: (xdr.PublicKey | null)[];
  } = {},
): xdr.AccountEntry {
  const { liabilities, v2 } = accountExtension(account);
  return withExtension(account, {
    liabilities,
    v2: new xdr.AccountEntryExtensionV2({ ...(v2 ?? emptyV2(account)), ...change }),
  });
}

/**
 * The account with the ledger and close time at which its sequence number last changed (CAP-21); raises it to extension v3.
 */
export function withSequenceTime(
  account: xdr.AccountEntry,
  header: xdr.LedgerHeader,
): xdr.AccountEntry {
  const { liabilities, v2 } = accountExtension(account);
  const v3 = new xdr.AccountEntryExtensionV3({
    ext: xdr.ExtensionPoint.v0(),
    seqLedger: header.ledgerSeq,
    seqTime: header.scpValue.closeTime,
  });
  return withExtension(account, {
    liabilities,
    v2: new xdr.AccountEntryExtensionV2({
      ...(v2 ?? emptyV2(account)),
      ext: xdr.AccountEntryExtensionV2Ext.v3(v3),
    }),
  });
}

function emptyV2(account: xdr.AccountEntry): xdr.AccountEntryExtensionV2 {
  return new xdr.AccountEntryExtensionV2({
    numSponsored: 0,
    numSponsoring: 0,
    signerSponsoringIDs: account.signers.map(() => null),
    ext: xdr.AccountEntryExtensionV2Ext.v0(),
  });
}

function withExtension(account: xdr.AccountEntry, extension: AccountExtension): xdr.AccountEntry {
  const { liabilities, v2 } = extension;
  const ext =
    v2 === undefined ? xdr.AccountEntryExtensionV1Ext.v0() : xdr.AccountEntryExtensionV1Ext.v2(v2);
  return new xdr.AccountEntry({
    ...account,
    ext: xdr.AccountEntryExt.v1(new xdr.AccountEntryExtensionV1({ liabilities, ext })),
  });
}
