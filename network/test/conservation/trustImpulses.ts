import { xdr } from '@stellar/stellar-sdk';
import type { Impulse } from './intent.ts';
import { INT64_MAX, issuerOf, lineAsset, NATIVE, type Scene } from './scene.ts';

const { OperationBody } = xdr;

const changeTrust: Impulse = (scene) => {
  const asset = scene.credit();
  const who = scene.random.chance(0.8) ? scene.trader() : scene.random.pick(scene.issuers);
  const held = scene.line(who.id, lineAsset(asset))?.balance ?? 0n;
  const kind = scene.random.below(10);
  const limit = kind < 2 ? 0n : kind < 4 ? held + 1n + scene.random.bigBelow(1000n) : 10n ** 15n;
  return {
    who,
    body: OperationBody.changeTrust(
      new xdr.ChangeTrustOp({
        line: xdr.ChangeTrustAsset.fromXdr(asset.toXdr()),
        limit: scene.random.chance(0.02) ? INT64_MAX : limit,
      }),
    ),
  };
};

/** A trustline and who issued its asset; mostly one that exists. */
function issued(scene: Scene) {
  const lines = scene.mirror
    .ofType('trustline')
    .flatMap(({ data: { trustLine } }) =>
      trustLine.asset.type === 'assetTypeCreditAlphanum4' ? [trustLine] : [],
    );
  const line = scene.random.pick(lines);
  const asset = line === undefined ? scene.credit() : xdr.Asset.fromXdr(line.asset.toXdr());
  const issuer = issuerOf(asset);
  const who = issuer === undefined ? undefined : scene.actorOf(issuer);
  if (who === undefined) return undefined;
  return { who, asset, line, trustor: line?.accountId ?? scene.trader().id };
}

/** Trust is mostly given, so that there is something to take away. */
const authorization = (scene: Scene): number =>
  scene.random.chance(0.7) ? 1 : scene.random.below(3);

const allowTrust: Impulse = (scene) => {
  const found = issued(scene);
  if (found?.asset.type !== 'assetTypeCreditAlphanum4') return undefined;
  const { who, asset, trustor } = found;
  return {
    who,
    body: OperationBody.allowTrust(
      new xdr.AllowTrustOp({
        trustor,
        asset: xdr.AssetCode.assetTypeCreditAlphanum4(asset.alphaNum4.assetCode),
        authorize: authorization(scene),
      }),
    ),
  };
};

const setTrustLineFlags: Impulse = (scene) => {
  const found = issued(scene);
  if (found === undefined) return undefined;
  const { who, asset, trustor } = found;
  const setFlags = authorization(scene);
  const clearFlags = (3 & ~setFlags) | (scene.random.chance(0.01) ? 4 : 0);
  return {
    who,
    body: OperationBody.setTrustLineFlags(
      new xdr.SetTrustLineFlagsOp({ trustor, asset, setFlags, clearFlags }),
    ),
  };
};

const clawback: Impulse = (scene) => {
  const found = issued(scene);
  if (found === undefined) return undefined;
  const { who, asset, trustor, line } = found;
  const from = scene.address(trustor);
  const amount = scene.amount((line?.balance ?? 0n) / 10n);
  return {
    who,
    body: OperationBody.clawback(
      new xdr.ClawbackOp({ from, asset: scene.random.chance(0.02) ? NATIVE : asset, amount }),
    ),
  };
};

const clawbackClaimableBalance: Impulse = (scene) => {
  const balances = scene.mirror.ofType('claimableBalance').map(({ data }) => data.claimableBalance);
  const flagged = balances.filter(({ ext }) => ext.type === 'v1');
  const found = scene.random.pick(scene.random.chance(0.7) ? flagged : balances);
  if (found === undefined) return undefined;
  const { asset, balanceId } = found;
  const issuer = issuerOf(asset);
  return {
    who: (issuer === undefined ? undefined : scene.actorOf(issuer)) ?? scene.anybody(),
    body: OperationBody.clawbackClaimableBalance(new xdr.ClawbackClaimableBalanceOp({ balanceId })),
  };
};

export const trustImpulses: readonly Impulse[] = [
  changeTrust,
  changeTrust,
  allowTrust,
  setTrustLineFlags,
  clawback,
  clawbackClaimableBalance,
];
