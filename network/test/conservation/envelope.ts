import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { accountImpulses } from './accountImpulses.ts';
import type { Impulse, Intent } from './intent.ts';
import { moneyImpulses, rareImpulses } from './moneyImpulses.ts';
import { type Actor, type Scene, same } from './scene.ts';
import { tradeImpulses } from './tradeImpulses.ts';
import { trustImpulses } from './trustImpulses.ts';

const { OperationBody } = xdr;

/** Which kind of operation comes to mind how often. */
const KINDS: readonly (readonly Impulse[])[] = [
  moneyImpulses,
  moneyImpulses,
  tradeImpulses,
  tradeImpulses,
  trustImpulses,
  trustImpulses,
  accountImpulses,
];

/** A signed transaction of one to three random operations, perhaps sponsored, perhaps fee-bumped. */
export function randomEnvelope(scene: Scene, networkId: Uint8Array): xdr.TransactionEnvelope {
  const { random } = scene;
  const wanted = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => impulse(scene));
  const intents = random.chance(0.25) ? sponsored(scene, wanted) : wanted;
  const first = intents[0]?.who;
  const source =
    first !== undefined && scene.exists(first.id) && random.chance(0.8) ? first : scene.somebody();
  const v1 = signed(scene, networkId, source, intents);
  return random.chance(0.1)
    ? feeBump(scene, networkId, v1)
    : xdr.TransactionEnvelope.envelopeTypeTx(v1);
}

/** A signed transaction of these operations. */
export function signedEnvelope(
  scene: Scene,
  networkId: Uint8Array,
  source: Actor,
  intents: readonly Intent[],
): xdr.TransactionEnvelope {
  return xdr.TransactionEnvelope.envelopeTypeTx(signed(scene, networkId, source, intents));
}

function signed(
  scene: Scene,
  networkId: Uint8Array,
  source: Actor,
  intents: readonly Intent[],
): xdr.TransactionV1Envelope {
  const { random } = scene;
  const tx = new xdr.Transaction({
    sourceAccount: scene.address(source.id),
    fee: 100 * intents.length,
    seqNum: scene.nextSequence(source.id),
    cond: xdr.Preconditions.precondNone(),
    memo: random.chance(0.2) ? xdr.Memo.memoId(random.bigBelow(9n)) : xdr.Memo.memoNone(),
    operations: intents.map(
      ({ who, body }) =>
        new xdr.Operation({
          sourceAccount: same(who.id, source.id) ? null : scene.address(who.id),
          body,
        }),
    ),
    ext: xdr.TransactionExt.v0(),
  });
  const signers = distinct([source, ...intents.map(({ who }) => who)]);
  const hash = sha256(networkId, Uint8Array.of(0, 0, 0, 2), tx.toXdr());
  return new xdr.TransactionV1Envelope({
    tx,
    signatures: signers.map((signer) => signer.sign(hash)),
  });
}

function feeBump(
  scene: Scene,
  networkId: Uint8Array,
  v1: xdr.TransactionV1Envelope,
): xdr.TransactionEnvelope {
  const payer = scene.somebody();
  const tx = new xdr.FeeBumpTransaction({
    feeSource: scene.address(payer.id),
    fee: BigInt(200 * (v1.tx.operations.length + 1)),
    innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(v1),
    ext: xdr.FeeBumpTransactionExt.v0(),
  });
  const hash = sha256(networkId, Uint8Array.of(0, 0, 0, 5), tx.toXdr());
  return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({ tx, signatures: [payer.sign(hash)] }),
  );
}

function impulse(scene: Scene): Intent {
  for (;;) {
    const kind = scene.random.chance(0.01) ? rareImpulses : scene.random.pick(KINDS);
    const intent = scene.random.pick(kind ?? rareImpulses)?.(scene);
    if (intent !== undefined) return intent;
  }
}

/** The operations between the begin and the end of a sponsorship of who does the first of them. */
function sponsored(scene: Scene, intents: readonly Intent[]): Intent[] {
  const who = intents[0]?.who ?? scene.anybody();
  const sponsor = scene.anybody();
  const begin = OperationBody.beginSponsoringFutureReserves(
    new xdr.BeginSponsoringFutureReservesOp({ sponsoredId: who.id }),
  );
  return [
    { who: sponsor, body: begin },
    ...intents,
    { who, body: OperationBody.endSponsoringFutureReserves() },
  ];
}

function distinct(actors: readonly Actor[]): Actor[] {
  return actors.filter(
    ({ id }, place) => actors.findIndex((other) => same(other.id, id)) === place,
  );
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
