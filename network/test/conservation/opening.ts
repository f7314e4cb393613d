import { xdr } from '@stellar/stellar-sdk';
import type { Intent } from './intent.ts';
import { root } from './network.ts';
import { type Actor, issuerOf, type Scene, same } from './scene.ts';

const { OperationBody } = xdr;

/** What each issuer may do: take everything back; decide who may hold; nothing. */
const ISSUER_FLAGS = [0x2 | 0x8, 0x1 | 0x2, 0];

/** Before the random part, everybody exists, trusts and holds something: one list for each ledger. */
export function opening(scene: Scene): readonly (readonly Intent[])[] {
  const holders = [...scene.traders, ...scene.issuers].flatMap((who) =>
    scene.credits.flatMap((asset) => (isIssuer(who, asset) ? [] : [{ who, asset }])),
  );
  return [
    scene.actors.map(birth),
    [...scene.issuers.map(flags), ...holders.map(trust)],
    holders.flatMap((holder) => issue(scene, holder)),
  ];
}

function birth({ id }: Actor): Intent {
  return {
    who: root,
    body: OperationBody.createAccount(
      new xdr.CreateAccountOp({ destination: id, startingBalance: 10_000_000_000n }),
    ),
  };
}

function flags(who: Actor, index: number): Intent {
  return {
    who,
    body: OperationBody.setOptions(
      new xdr.SetOptionsOp({
        inflationDest: null,
        clearFlags: null,
        setFlags: ISSUER_FLAGS[index] ?? 0,
        masterWeight: null,
        lowThreshold: null,
        medThreshold: null,
        highThreshold: null,
        homeDomain: null,
        signer: null,
      }),
    ),
  };
}

interface Holder {
  readonly who: Actor;
  readonly asset: xdr.Asset;
}

function trust({ who, asset }: Holder): Intent {
  const line = xdr.ChangeTrustAsset.fromXdr(asset.toXdr());
  return {
    who,
    body: OperationBody.changeTrust(new xdr.ChangeTrustOp({ line, limit: 10n ** 15n })),
  };
}

function isIssuer(who: Actor, asset: xdr.Asset): boolean {
  const issuer = issuerOf(asset);
  return issuer !== undefined && same(issuer, who.id);
}

/** The issuer authorizes the holder, whether it has to or not, and pays. */
function issue(scene: Scene, { who, asset }: Holder): Intent[] {
  const issuerId = issuerOf(asset);
  const issuer = issuerId === undefined ? undefined : scene.actorOf(issuerId);
  if (issuer === undefined) return [];
  const trustor = who.id;
  return [
    {
      who: issuer,
      body: OperationBody.setTrustLineFlags(
        new xdr.SetTrustLineFlagsOp({ trustor, asset, clearFlags: 0, setFlags: 1 }),
      ),
    },
    {
      who: issuer,
      body: OperationBody.payment(
        new xdr.PaymentOp({ destination: scene.address(trustor), asset, amount: 1_000_000n }),
      ),
    },
  ];
}
