import { xdr } from '@stellar/stellar-sdk';
import { ledgerKeyOfEntry } from '../../src/state/index.ts';
import type { Impulse } from './intent.ts';
import type { Scene } from './scene.ts';

const { OperationBody } = xdr;

const NO_OPTIONS: ConstructorParameters<typeof xdr.SetOptionsOp>[0] = {
  inflationDest: null,
  clearFlags: null,
  setFlags: null,
  masterWeight: null,
  lowThreshold: null,
  medThreshold: null,
  highThreshold: null,
  homeDomain: null,
  signer: null,
};

/** Adds or removes a signer. Thresholds stay zero, so that the master key keeps its say. */
const setSigner: Impulse = (scene) => {
  const who = scene.anybody();
  const known = scene.account(who.id)?.signers ?? [];
  const existing = scene.random.chance(0.5) ? scene.random.pick(known)?.key : undefined;
  const signer = new xdr.Signer({
    key: existing ?? signerKey(scene),
    weight: existing !== undefined || scene.random.chance(0.1) ? 0 : 1,
  });
  return {
    who,
    body: OperationBody.setOptions(new xdr.SetOptionsOp({ ...NO_OPTIONS, signer })),
  };
};

function signerKey(scene: Scene): xdr.SignerKey {
  const bytes = new Uint8Array(32).fill(1 + scene.random.below(5));
  switch (scene.random.below(3)) {
    case 0:
      return xdr.SignerKey.signerKeyTypeEd25519(scene.anybody().id.ed25519);
    case 1:
      return xdr.SignerKey.signerKeyTypeHashX(bytes);
    default:
      return xdr.SignerKey.signerKeyTypePreAuthTx(bytes);
  }
}

/** Changes what an issuer may do, or writes a domain that nobody reads. */
const setFlags: Impulse = (scene) => {
  const who = scene.random.chance(0.3) ? scene.random.pick(scene.issuers) : scene.anybody();
  const flags = scene.random.pick([0, 2, 8, 10, 1]);
  const change = scene.random.chance(0.7) ? { setFlags: flags } : { clearFlags: flags };
  return {
    who,
    body: OperationBody.setOptions(
      new xdr.SetOptionsOp({
        ...NO_OPTIONS,
        ...(scene.random.chance(0.3) ? change : { homeDomain: 'example.org' }),
      }),
    ),
  };
};

const manageData: Impulse = (scene) => ({
  who: scene.anybody(),
  body: OperationBody.manageData(
    new xdr.ManageDataOp({
      dataName: `name ${scene.random.below(3)}`,
      dataValue: scene.random.chance(0.5) ? new xdr.DataValue(Uint8Array.of(1)) : null,
    }),
  ),
});

const bumpSequence: Impulse = (scene) => {
  const who = scene.anybody();
  const seqNum = scene.account(who.id)?.seqNum ?? 0n;
  return {
    who,
    body: OperationBody.bumpSequence(
      new xdr.BumpSequenceOp({ bumpTo: seqNum + scene.random.bigBelow(3n) }),
    ),
  };
};

/** Hands the sponsorship of an entry on, or back to its owner; asked by sponsor or owner. */
const revokeEntrySponsorship: Impulse = (scene) => {
  const entries = [...scene.mirror.entries.values()];
  const sponsored = entries.filter((entry) => sponsorOf(entry) !== undefined);
  const entry = scene.random.pick(scene.random.chance(0.7) ? sponsored : entries);
  if (entry === undefined || entry.data.type === 'liquidityPool') return undefined;
  const asker = sponsorOf(entry) ?? ownerOf(entry.data);
  const who = asker === undefined ? undefined : scene.actorOf(asker);
  if (who === undefined) return undefined;
  return {
    who,
    body: OperationBody.revokeSponsorship(
      xdr.RevokeSponsorshipOp.revokeSponsorshipLedgerEntry(ledgerKeyOfEntry(entry)),
    ),
  };
};

const revokeSignerSponsorship: Impulse = (scene) => {
  const accounts = scene.mirror
    .ofType('account')
    .flatMap(({ data: { account } }) => (account.signers.length > 0 ? [account] : []));
  const account = scene.random.pick(accounts);
  if (account === undefined) return undefined;
  const place = scene.random.below(account.signers.length);
  const signer = account.signers[place];
  const sponsors = signerSponsors(account);
  const who = scene.actorOf(sponsors[place] ?? account.accountId);
  if (signer === undefined || who === undefined) return undefined;
  return {
    who,
    body: OperationBody.revokeSponsorship(
      xdr.RevokeSponsorshipOp.revokeSponsorshipSigner(
        new xdr.RevokeSponsorshipOpSigner({ accountId: account.accountId, signerKey: signer.key }),
      ),
    ),
  };
};

/** Who sponsors each signer, as the entry itself says. */
export function signerSponsors({ ext }: xdr.AccountEntry): readonly (xdr.PublicKey | null)[] {
  return ext.type === 'v1' && ext.v1.ext.type === 'v2' ? ext.v1.ext.v2.signerSponsoringIDs : [];
}

export function sponsorOf({ ext }: xdr.LedgerEntry): xdr.PublicKey | undefined {
  return ext.type === 'v1' ? (ext.v1.sponsoringId ?? undefined) : undefined;
}

/** Whose sub-entry an entry is, or which account it is. */
export function ownerOf(data: xdr.LedgerEntryData): xdr.PublicKey | undefined {
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

export const accountImpulses: readonly Impulse[] = [
  setSigner,
  setFlags,
  manageData,
  bumpSequence,
  revokeEntrySponsorship,
  revokeEntrySponsorship,
  revokeSignerSponsorship,
];
