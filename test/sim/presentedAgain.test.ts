import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { ModelScene } from './modelScene.ts';
import { hashOf, openUntil, paidAs, rejectionOf } from './outcomes.ts';

const PAYABLE_UNTIL = 1_050;

/**
 * Settles a payment whose transaction the server refuses. For a while no other transaction that would exclude it gets through, so
 * that the caller is answered “pending”; then one does.
 */
async function dropped(scene: ModelScene, request: FacilitatorRequest): Promise<void> {
  const { send } = scene.network;
  let sent = 0;
  scene.network.send = async () => {
    sent += 1;
    if (sent > 1) throw new RpcError('timeout', 'sendTransaction', 'no answer');
    return {
      ...{ status: 'ERROR', latestLedger: scene.ledger.ledger, resultCode: 'txInsufficientFee' },
    } as const;
  };
  assert.equal((await scene.until(scene.settle(request))).status, 'pending');
  scene.network.send = send;
  await scene.closing(scene.pass(5_000));
}

/** Presents it once more, and gets the failure of the transaction. */
async function refusedOnce(scene: ModelScene, request: FacilitatorRequest) {
  const outcome = await scene.settled(request);
  const hash = outcome.status === 'failed' ? outcome.hash : undefined;
  assert.equal(rejectionOf(outcome)?.code, 'transaction_failed');
  assert.deepEqual(rejectionOf(outcome)?.known, openUntil(PAYABLE_UNTIL, hash));
  await scene.pass(1_000);
  return hash;
}

describe('A payment whose transaction no ledger included, while its authorization is valid', () => {
  it('settles when it is presented again, as the answer said', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await dropped(scene, request);
    const first = await refusedOnce(scene, request);
    assert.equal((await scene.until(scene.facilitator.verify(request))).status, 'valid');
    const second = hashOf(await scene.settled(request));
    assert.notEqual(second, undefined);
    assert.notEqual(second, first);
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), [second]);
  });

  it('is paid, under the hash of the first transaction too', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await dropped(scene, request);
    const first = await refusedOnce(scene, request);
    assert.ok(first);
    const second = hashOf(await scene.settled(request));
    const status = await scene.until(scene.facilitator.findSettlement({ hash: first }));
    assert.deepEqual([status?.state, status?.moneyMoved, status?.hash], ['failed', 'yes', second]);
    assert.equal((await scene.status())?.state, 'settled');
  });

  it('settles at another process on the same store', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await dropped(scene, request);
    await refusedOnce(scene, request);
    const next = await scene.another();
    assert.equal(rejectionOf(await next.settled(request)), undefined);
    assert.equal(scene.ledger.settledAs(scene.authorization).length, 1);
  });

  it('settles once, however many present it at the same moment', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await dropped(scene, request);
    await refusedOnce(scene, request);
    const outcomes = await scene.closing(
      Promise.all([scene.settle(request), scene.settle(request), scene.settle(request)]),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'settled').length, 1);
    assert.equal(scene.ledger.settledAs(scene.authorization).length, 1);
  });

  it('is refused like the first request, if it was presented before that one had its answer', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await dropped(scene, request);
    const outcomes = await scene.closing(
      Promise.all([scene.settle(request), scene.settle(request)]),
    );
    assert.deepEqual(
      outcomes.map((outcome) => rejectionOf(outcome)?.known?.moneyMoved),
      ['not_yet', 'not_yet'],
    );
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), []);
  });

  it('is not settled again if another transaction paid meanwhile: that one is named', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await dropped(scene, request);
    await refusedOnce(scene, request);
    const hash = scene.submitBySeller(request);
    scene.ledger.close();
    const outcome = await scene.settled(request);
    assert.equal(rejectionOf(outcome)?.code, 'authorization_replayed');
    assert.deepEqual(
      rejectionOf(outcome)?.known,
      paidAs(hash, scene.ledger.included.get(hash)?.ledger ?? 0),
    );
  });

  it('stays refused after a transaction that a ledger included and that failed: each one costs the sponsor', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    scene.ledger.refuses = true;
    assert.equal((await scene.settled(request)).status, 'failed');
    await scene.pass(1_000);
    scene.ledger.refuses = false;
    const outcome = await scene.settled(request);
    assert.equal(rejectionOf(outcome)?.code, 'authorization_replayed');
    assert.equal(rejectionOf(outcome)?.known?.moneyMoved, 'not_yet');
    assert.equal(scene.ledger.taken.get(scene.authorization)?.size, 1);
  });
});

describe('A failure that is learnt late', () => {
  it('counts once against its payer, however many requests learn it', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    const request = scene.payment();
    await scene.endAt('lookUp', request);
    scene.ledger.closeUntil(1_100);
    const next = await scene.another();
    const { lookUp } = next.network;
    next.forgetBefore(1_090);
    await next.closing(next.pass(5_000));
    assert.equal(
      (await next.until(next.facilitator.findSettlement({ hash: scene.takenHash })))?.state,
      'unproven',
    );
    next.network.lookUp = lookUp;
    scene.ledger.refuses = false;
    await next.closing(
      Promise.all([next.settle(request), next.settle(request), next.settle(request)]),
    );
    assert.equal(
      (await next.until(next.facilitator.findSettlement({ hash: scene.takenHash })))?.state,
      'failed',
    );
    const outcome = await next.settled(next.payment({ entry: { nonce: 77n } }));
    assert.equal(rejectionOf(outcome), undefined);
  });
});

describe('A payment that a network took back', () => {
  it('is no longer “paid”: the ledger has no record of its nonce, and its authorization is still valid', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await scene.settled(request);
    await scene.pass(1_000);
    assert.equal((await scene.status())?.moneyMoved, 'yes');
    scene.ledger.forgetNonces();
    scene.ledger.close();
    const status = await scene.status();
    assert.deepEqual([status?.state, status?.moneyMoved], ['settled', 'unknown']);
    for (const outcome of [
      await scene.until(scene.facilitator.verify(request)),
      await scene.settled(request),
    ]) {
      assert.equal(rejectionOf(outcome)?.code, 'authorization_replayed');
      assert.equal(rejectionOf(outcome)?.known?.moneyMoved, 'unknown');
    }
  });

  it('is “paid” while a server that is behind has no record of its nonce yet', async () => {
    const scene = await ModelScene.open();
    await scene.settled(scene.payment());
    await scene.pass(1_000);
    const { readEntries } = scene.network;
    scene.network.readEntries = async (keys) => ({
      ...(await readEntries(keys)),
      ...{ latestLedger: 1_000, found: new Map() },
    });
    assert.equal((await scene.status())?.moneyMoved, 'yes');
  });

  it('is “paid” once its authorization has expired: the ledger no longer keeps the record', async () => {
    const scene = await ModelScene.open();
    await scene.settled(scene.payment());
    await scene.pass(1_000);
    scene.ledger.closeUntil(1_200);
    assert.equal((await scene.status())?.moneyMoved, 'yes');
  });

  it('is “paid” while the ledger does not answer', async () => {
    const scene = await ModelScene.open();
    await scene.settled(scene.payment());
    await scene.pass(1_000);
    scene.network.readEntries = () => new Promise(() => {});
    assert.equal((await scene.status())?.moneyMoved, 'yes');
  });
});
