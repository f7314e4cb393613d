import { xdr } from '@stellar/stellar-sdk';
import type { Impulse } from './intent.ts';
import { issuerOf, NATIVE, type Scene, same } from './scene.ts';

const { OperationBody } = xdr;

/** A credit asset, its issuer or a trader, and often somebody who can receive it. */
function route(scene: Scene) {
  const asset = scene.asset();
  const issuer = issuerOf(asset);
  const minting = issuer !== undefined && scene.random.chance(0.3);
  const who = minting ? (scene.actorOf(issuer) ?? scene.trader()) : scene.anybody();
  const burning = issuer !== undefined && scene.random.chance(0.1);
  const to = burning ? (scene.actorOf(issuer) ?? scene.trader()) : scene.anybody();
  return { asset, who, destination: scene.address(to.id) };
}

const createAccount: Impulse = (scene) => {
  const who = scene.anybody();
  const absent = scene.drifters.filter(({ id }) => !scene.exists(id));
  const { id } = scene.random.pick(absent) ?? scene.drifter();
  return {
    who,
    body: OperationBody.createAccount(
      new xdr.CreateAccountOp({
        destination: id,
        startingBalance: scene.random.chance(0.1) ? 0n : scene.amount(2_000_000_000n),
      }),
    ),
  };
};

const payment: Impulse = (scene) => {
  const { asset, who, destination } = route(scene);
  const amount = scene.amount(scene.balance(who.id, asset) / 4n);
  return {
    who,
    body: OperationBody.payment(new xdr.PaymentOp({ destination, asset, amount })),
  };
};

function path(scene: Scene): xdr.Asset[] {
  return Array.from({ length: scene.random.below(3) }, () => scene.asset());
}

const pathPaymentStrictReceive: Impulse = (scene) => {
  const { asset, who, destination } = route(scene);
  const destAmount = scene.amount(1000n);
  return {
    who,
    body: OperationBody.pathPaymentStrictReceive(
      new xdr.PathPaymentStrictReceiveOp({
        sendAsset: asset,
        sendMax: scene.amount(1_000_000n),
        destination,
        destAsset: scene.asset(),
        destAmount,
        path: path(scene),
      }),
    ),
  };
};

const pathPaymentStrictSend: Impulse = (scene) => {
  const { asset, who, destination } = route(scene);
  return {
    who,
    body: OperationBody.pathPaymentStrictSend(
      new xdr.PathPaymentStrictSendOp({
        sendAsset: asset,
        sendAmount: scene.amount(1000n),
        destination,
        destAsset: scene.asset(),
        destMin: 1n + scene.random.bigBelow(10n),
        path: path(scene),
      }),
    ),
  };
};

const createClaimableBalance: Impulse = (scene) => {
  const { asset, who } = route(scene);
  const first = scene.anybody();
  const second = scene.anybody();
  const destinations = same(first.id, second.id) ? [first] : [first, second];
  return {
    who,
    body: OperationBody.createClaimableBalance(
      new xdr.CreateClaimableBalanceOp({
        asset,
        amount: scene.amount(scene.balance(who.id, asset) / 10n),
        claimants: destinations.map(({ id }) =>
          xdr.Claimant.claimantTypeV0(
            new xdr.ClaimantV0({ destination: id, predicate: predicate(scene) }),
          ),
        ),
      }),
    ),
  };
};

function predicate({ random }: Scene): xdr.ClaimPredicate {
  const { ClaimPredicate } = xdr;
  if (random.chance(0.7)) return ClaimPredicate.claimPredicateUnconditional();
  const soon = ClaimPredicate.claimPredicateBeforeRelativeTime(random.bigBelow(100n));
  return random.chance(0.5) ? soon : ClaimPredicate.claimPredicateNot(soon);
}

const claimClaimableBalance: Impulse = (scene) => {
  const found = scene.random.pick(scene.mirror.ofType('claimableBalance'));
  if (found === undefined) return undefined;
  const { balanceId, claimants } = found.data.claimableBalance;
  const claimant = scene.random.pick(claimants);
  const who = claimant === undefined ? undefined : scene.actorOf(claimant.v0.destination);
  return {
    who: who ?? scene.anybody(),
    body: OperationBody.claimClaimableBalance(new xdr.ClaimClaimableBalanceOp({ balanceId })),
  };
};

const accountMerge: Impulse = (scene) => {
  const who = scene.random.chance(0.9) ? scene.drifter() : scene.anybody();
  return { who, body: OperationBody.accountMerge(scene.address(scene.anybody().id)) };
};

const inflation: Impulse = (scene) => ({ who: scene.anybody(), body: OperationBody.inflation() });

/** Brings lumens to those who have few: otherwise reserves and fees drain the traders. */
const refill: Impulse = (scene) => {
  const poor = scene.traders.filter(({ id }) => scene.balance(id, NATIVE) < 1_000_000_000n);
  const rich = [...scene.actors].sort((a, b) =>
    scene.balance(a.id, NATIVE) < scene.balance(b.id, NATIVE) ? 1 : -1,
  );
  const [to, who] = [scene.random.pick(poor), rich[0]];
  if (to === undefined || who === undefined) return undefined;
  const amount = scene.balance(who.id, NATIVE) / 3n;
  const destination = scene.address(to.id);
  return {
    who,
    body: OperationBody.payment(new xdr.PaymentOp({ destination, asset: NATIVE, amount })),
  };
};

export const moneyImpulses: readonly Impulse[] = [
  createAccount,
  payment,
  payment,
  pathPaymentStrictReceive,
  pathPaymentStrictSend,
  createClaimableBalance,
  claimClaimableBalance,
  accountMerge,
  refill,
];

export const rareImpulses: readonly Impulse[] = [inflation];
