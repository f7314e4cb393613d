import { xdr } from '@stellar/stellar-sdk';
import { liquidityPoolKeyId } from '../../src/state/index.ts';
import type { Impulse } from './intent.ts';
import { issuerOf, poolId, type Scene } from './scene.ts';

const { OperationBody } = xdr;

/** A new offer; sometimes a change or the end of an open one. */
function offer(scene: Scene) {
  const selling = scene.asset();
  const issuer = issuerOf(selling);
  const fresh = {
    who:
      issuer !== undefined && scene.random.chance(0.1)
        ? (scene.actorOf(issuer) ?? scene.trader())
        : scene.anybody(),
    selling,
    buying: scene.asset(),
    amount: scene.amount(2000n),
    price: scene.price(),
    offerId: 0n,
  };
  const standing = scene.random.chance(0.35)
    ? scene.random.pick(scene.mirror.ofType('offer'))?.data.offer
    : undefined;
  if (standing === undefined) return fresh;
  return {
    ...fresh,
    who: scene.actorOf(standing.sellerId) ?? fresh.who,
    selling: standing.selling,
    buying: standing.buying,
    amount: scene.random.chance(0.5) ? 0n : fresh.amount,
    offerId: standing.offerId,
  };
}

const manageSellOffer: Impulse = (scene) => {
  const { who, ...fields } = offer(scene);
  return { who, body: OperationBody.manageSellOffer(new xdr.ManageSellOfferOp(fields)) };
};

const manageBuyOffer: Impulse = (scene) => {
  const { who, amount, ...fields } = offer(scene);
  return {
    who,
    body: OperationBody.manageBuyOffer(new xdr.ManageBuyOfferOp({ ...fields, buyAmount: amount })),
  };
};

const createPassiveSellOffer: Impulse = (scene) => {
  const { who, selling, buying, amount, price } = offer(scene);
  return {
    who,
    body: OperationBody.createPassiveSellOffer(
      new xdr.CreatePassiveSellOfferOp({ selling, buying, amount, price }),
    ),
  };
};

/** Somebody who has shares of the pool, if anybody has. */
function shareholder(scene: Scene, id: xdr.PoolId) {
  const share = xdr.TrustLineAsset.assetTypePoolShare(id);
  return scene.random.pick(scene.actors.filter((who) => scene.line(who.id, share) !== undefined));
}

const liquidityPoolDeposit: Impulse = (scene) => {
  const liquidityPoolId = poolId(scene.random.pick(scene.pools));
  const who = shareholder(scene, liquidityPoolId);
  if (who === undefined) return undefined;
  const strict = scene.random.chance(0.2);
  return {
    who,
    body: OperationBody.liquidityPoolDeposit(
      new xdr.LiquidityPoolDepositOp({
        liquidityPoolId,
        maxAmountA: scene.amount(5000n),
        maxAmountB: scene.amount(5000n),
        minPrice: strict ? scene.price() : new xdr.Price({ n: 1, d: 100_000_000 }),
        maxPrice: strict ? scene.price() : new xdr.Price({ n: 100_000_000, d: 1 }),
      }),
    ),
  };
};

const liquidityPoolWithdraw: Impulse = (scene) => {
  const liquidityPoolId = poolId(scene.random.pick(scene.pools));
  const who = shareholder(scene, liquidityPoolId);
  if (who === undefined) return undefined;
  const share = xdr.TrustLineAsset.assetTypePoolShare(liquidityPoolId);
  const held = scene.line(who.id, share)?.balance ?? 0n;
  return {
    who,
    body: OperationBody.liquidityPoolWithdraw(
      new xdr.LiquidityPoolWithdrawOp({
        liquidityPoolId,
        amount: scene.random.chance(0.3) ? held : scene.amount(held),
        minAmountA: scene.random.bigBelow(3n),
        minAmountB: scene.random.bigBelow(3n),
      }),
    ),
  };
};

/** Opens a line to a pool's shares, or closes one that is empty. */
const poolLine: Impulse = (scene) => {
  const parameters = scene.random.pick(scene.pools);
  const known = scene.mirror.get(liquidityPoolKeyId(poolId(parameters)));
  const anybody = scene.random.chance(0.3) ? scene.random.pick(scene.issuers) : scene.trader();
  const who =
    known !== undefined && scene.random.chance(0.4)
      ? (shareholder(scene, poolId(parameters)) ?? anybody)
      : anybody;
  return {
    who,
    body: OperationBody.changeTrust(
      new xdr.ChangeTrustOp({
        line: xdr.ChangeTrustAsset.assetTypePoolShare(parameters),
        limit: scene.random.chance(0.3) ? 0n : 10n ** 15n,
      }),
    ),
  };
};

export const tradeImpulses: readonly Impulse[] = [
  manageSellOffer,
  manageSellOffer,
  manageBuyOffer,
  createPassiveSellOffer,
  liquidityPoolDeposit,
  liquidityPoolDeposit,
  liquidityPoolWithdraw,
  poolLine,
];
