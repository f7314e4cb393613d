import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RpcError } from '../../src/server/network/index.ts';
import { StoreError } from '../../src/server/store/index.ts';
import { discoverable } from '../support/discoverable.ts';
import { PAYER, SELLER } from '../support/payment.ts';
import { ModelScene } from './modelScene.ts';

interface Fields {
  readonly hash?: string;
  readonly reason?: string;
  readonly err?: Error;
  readonly payer?: string;
  readonly said?: string;
  readonly settlement?: string;
}

/** The fields of the first line with this message. */
function fieldsOf(scene: ModelScene, message: string): Fields {
  const line = scene.log.find((one) => one.message === message);
  assert.notEqual(line, undefined, `${message}, of: ${scene.log.map((one) => one.message)}`);
  return { ...line?.fields };
}

/** A store that refuses the statements with these words. */
const refusing = (words: string) => (sql: string) => {
  if (sql.includes(words)) throw new StoreError('full', 'the disk is full');
  return undefined;
};

describe('An operator finds every settlement by its id, and every transaction by its hash', () => {
  it('when it begins', async () => {
    const scene = await ModelScene.open();
    await scene.settled(scene.payment());
    const { settlement, ...fields } = fieldsOf(scene, 'settling');
    assert.match(String(settlement), /^id-\d+$/);
    assert.deepEqual(fields, {
      ...{ payer: PAYER.address, payTo: SELLER.address, amount: '100000' },
    });
  });

  it('when the store refuses its outcome, or that there is none', async () => {
    const scene = await ModelScene.open();
    scene.onStatement = refusing('SET state = ?');
    await scene.settled(scene.payment());
    const { reason, hash } = fieldsOf(scene, 'could not record a decision');
    assert.deepEqual([reason, hash], ['full', scene.takenHash]);

    const other = await ModelScene.open();
    other.onStatement = refusing("'unproven'");
    other.network.searchMovements = async (_, { start }) => ({ hashes: [], searchedFrom: start });
    other.network.lookUp = async () => {
      const { ledger } = other.ledger;
      return { status: 'NOT_FOUND', latestLedger: ledger + 1_000, oldestLedger: ledger };
    };
    const outcome = await other.settled(other.payment());
    assert.equal(outcome.status, 'pending');
    await other.closing(other.pass(30_000));
    const unproven = fieldsOf(other, 'could not record an unproven outcome');
    assert.deepEqual([unproven.reason, unproven.hash], ['full', other.takenHash]);
    const gone = fieldsOf(other, 'the history does not reach back to this transaction');
    assert.equal(gone.hash, other.takenHash);
  });

  it('when a fault ends it after it was sent', async () => {
    const scene = await ModelScene.open();
    const fault = new TypeError('a fault');
    scene.network.lookUp = () => Promise.reject(fault);
    await scene.until(scene.settle(scene.payment()));
    const { err, hash } = fieldsOf(scene, 'settlement failed after submission');
    assert.deepEqual([err, hash], [fault, scene.takenHash]);
  });

  it('when the catalog fails', async () => {
    const scene = await ModelScene.open();
    scene.catalog.fails = true;
    await scene.settled(discoverable(scene.payment(), 'https://seller.example/data'));
    const { err, hash } = fieldsOf(scene, 'cataloging failed');
    assert.deepEqual([String(err), hash], ['Error: the catalog fails', scene.takenHash]);
  });

  it('when a server contradicts the ledger', async () => {
    const scene = await ModelScene.open();
    scene.lieBeforeInclusion('FAILED');
    await scene.settled(scene.payment());
    const { payer, said } = fieldsOf(scene, 'the ledger contradicts itself; looking again');
    assert.deepEqual([payer, said], [PAYER.address, 'failed']);
  });

  it('when the next process cannot learn what became of it', async () => {
    const scene = await ModelScene.open();
    await scene.endAt('lookUp');
    scene.ledger.closeUntil(1_100);
    const next = await scene.another();
    next.forgetBefore(1_090);
    next.network.searchMovements = async (_, { start }) => ({ hashes: [], searchedFrom: start });
    await next.pass(10_000);
    const { hash } = fieldsOf(next, 'the history does not reach back to this transaction');
    assert.equal(hash, scene.takenHash);
  });
});

describe('An operator reads why', () => {
  it('a refused payment is not released', async () => {
    const scene = await ModelScene.open();
    scene.network.simulate = () =>
      Promise.reject(new RpcError('timeout', 'simulateTransaction', 'no answer'));
    scene.onStatement = refusing('DELETE FROM settlements');
    await scene.settled(scene.payment());
    assert.equal(fieldsOf(scene, 'could not undo a settlement').reason, 'full');
  });

  it('a pass of the maintenance failed', async () => {
    const scene = await ModelScene.open();
    scene.onStatement = refusing('ORDER BY claimed_at');
    await scene.pass(5_000);
    assert.equal(fieldsOf(scene, 'maintenance pass failed; will retry').reason, 'full');
  });
});
