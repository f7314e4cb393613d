import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RpcError } from '../../src/server/network/index.ts';
import { PAYER } from '../support/payment.ts';
import { ModelScene } from './modelScene.ts';
import { hashOf, openUntil, rejectionOf, said } from './outcomes.ts';

/** A server's answer to a submission. */
const answer = (scene: ModelScene, status: 'ERROR' | 'TRY_AGAIN_LATER', resultCode?: string) => ({
  ...{ status, latestLedger: scene.ledger.ledger, resultCode },
});

describe('A channel whose sequence number was used elsewhere', () => {
  it('is read again, and the payment settles with the next number', async () => {
    const scene = await ModelScene.open();
    scene.ledger.useSequences(3n);
    const outcome = await scene.settled(scene.payment());
    assert.equal(hashOf(outcome), scene.takenHash);
    assert.equal((await scene.settled(scene.payment())).status, 'settled');
  });

  it('is given up after the second try: nothing was accepted, and nothing was paid', async () => {
    const scene = await ModelScene.open();
    let sent = 0;
    const { send } = scene.network;
    scene.network.send = async () => {
      sent += 1;
      scene.ledger.useSequences(1n);
      return answer(scene, 'ERROR', 'txBadSeq');
    };
    const request = scene.payment();
    assert.deepEqual(said(await scene.settled(request)), {
      status: 'rejected',
      rejection: {
        ...{ code: 'submission_failed', payer: PAYER.address, detail: 'ERROR txBadSeq' },
        known: openUntil(1_050),
      },
    });
    assert.equal(sent, 2);
    assert.equal(await scene.status(), undefined);
    scene.network.send = send;
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });
});

describe('A server that says that it did not accept a transaction', () => {
  it('txBadSeq, and has it: it is followed, and not signed again', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = async (envelope) => {
      await send(envelope);
      return answer(scene, 'ERROR', 'txBadSeq');
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(hashOf(outcome), scene.takenHash);
  });

  it('txBadSeq, and a ledger has it: it is found there', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = async (envelope) => {
      await send(envelope);
      scene.ledger.close();
      return answer(scene, 'ERROR', 'txBadSeq');
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(hashOf(outcome), scene.takenHash);
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), [scene.takenHash]);
  });

  it('txBadSeq, and shows it only later: the nonce is used, so the first one is followed', async () => {
    const scene = await ModelScene.open();
    const { send, lookUp } = scene.network;
    let hidden = 1;
    scene.network.lookUp = async (hash) => {
      const found = await lookUp(hash);
      if (found.status === 'NOT_FOUND' || hidden === 0) return found;
      hidden -= 1;
      return { status: 'NOT_FOUND', latestLedger: found.latestLedger, oldestLedger: 1 };
    };
    scene.network.send = async (envelope) => {
      await send(envelope);
      scene.ledger.close();
      scene.network.send = send;
      return answer(scene, 'ERROR', 'txBadSeq');
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(hashOf(outcome), scene.takenHash);
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), [scene.takenHash]);
  });

  it('that it is busy: the number is used up first, and then the payment may be presented again', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    let busy = 2;
    scene.network.send = async (envelope) => {
      if (busy === 0) return send(envelope);
      busy -= 1;
      return answer(scene, 'TRY_AGAIN_LATER');
    };
    const request = scene.payment();
    assert.deepEqual(said(await scene.settled(request)), {
      status: 'rejected',
      rejection: {
        ...{ code: 'submission_failed', payer: PAYER.address, detail: 'TRY_AGAIN_LATER' },
        known: openUntil(1_050),
      },
    });
    // A transaction that moves nothing took the number: the first one can never be included.
    assert.equal(scene.ledger.included.size, 1);
    assert.equal(scene.ledger.taken.size, 0);
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  it('that it is busy, and has it: it settles', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = async (envelope) => {
      await send(envelope);
      return answer(scene, 'TRY_AGAIN_LATER');
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(hashOf(outcome), scene.takenHash);
  });

  it('for a reason of the ledger: it is not sent again', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    let refused = 0;
    scene.network.send = async (envelope) => {
      if (refused > 0) return send(envelope);
      refused += 1;
      return answer(scene, 'ERROR', 'txInsufficientFee');
    };
    const outcome = await scene.settled(scene.payment());
    assert.deepEqual(said(outcome), {
      status: 'rejected',
      rejection: {
        ...{ code: 'submission_failed', payer: PAYER.address },
        detail: 'ERROR txInsufficientFee',
        known: openUntil(1_050),
      },
    });
    assert.equal(scene.ledger.taken.size, 0);
  });

  it('and nothing proves it in time: pending, and then that no ledger included it', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = async () => answer(scene, 'ERROR', 'txInsufficientFee');
    const request = scene.payment();
    const outcome = await scene.until(scene.settle(request));
    assert.equal(outcome.status, 'pending');
    const { hash } = outcome.status === 'pending' ? outcome : { hash: undefined };
    scene.network.send = send;
    const later = await scene.settled(request);
    assert.deepEqual(said(later), {
      ...{ status: 'failed', hash },
      rejection: {
        ...{ code: 'transaction_failed', payer: PAYER.address },
        detail: 'no ledger included the transaction',
        known: openUntil(1_050, hash),
      },
    });
  });

  it('since it did not understand it: refused, and not sent again', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    let sent = 0;
    scene.network.send = async (envelope) => {
      sent += 1;
      if (sent > 1) return send(envelope);
      throw new RpcError('refused', 'sendTransaction', 'invalid params', { rpcCode: -32_602 });
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(rejectionOf(outcome)?.code, 'submission_failed');
    assert.equal(rejectionOf(outcome)?.detail, 'sendTransaction: invalid params');
    assert.equal(scene.ledger.taken.size, 0);
  });

  it('or does not answer: it is sent once more, and counts as sent', async () => {
    for (const code of ['timeout', 'interrupted', 'overloaded', 'bad_answer'] as const) {
      const scene = await ModelScene.open();
      const { send } = scene.network;
      let sent = 0;
      scene.network.send = async (envelope) => {
        sent += 1;
        await send(envelope);
        throw new RpcError(code, 'sendTransaction', 'no answer');
      };
      const outcome = await scene.settled(scene.payment());
      assert.equal(hashOf(outcome), scene.takenHash, code);
      assert.equal(sent, 2, code);
    }
  });
});

describe('A transaction that waits for a ledger', () => {
  it('is sent again every 20 seconds: a server’s queue may have dropped it', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    assert.equal((await scene.until(scene.settle(request))).status, 'pending');
    scene.ledger.queue.clear();
    await scene.pass(25_000);
    assert.equal(scene.ledger.queue.size, 1);
    const outcome = await scene.settled(request);
    assert.equal(hashOf(outcome), scene.takenHash);
  });
});

describe('A server that is behind', () => {
  it('is asked again for the number of a channel that was used before', async () => {
    const scene = await ModelScene.open();
    assert.equal((await scene.settled(scene.payment())).status, 'settled');
    scene.ledger.useSequences(1n);
    const { getLedgerEntries } = scene.network;
    let behind = 2;
    scene.network.getLedgerEntries = async (keys) => {
      const read = await getLedgerEntries(keys);
      if (behind === 0) return read;
      behind -= 1;
      return { ...read, latestLedger: 900 };
    };
    assert.equal((await scene.settled(scene.payment())).status, 'settled');
    assert.equal(behind, 0);
  });
});

describe('A service that stops', () => {
  it('leaves the instances, so that the next one need not wait', async () => {
    const scene = await ModelScene.open();
    const count = async () => {
      const [row] = await scene.store.all<{ n: number }>('SELECT COUNT(*) AS n FROM instances');
      return Number(row?.n);
    };
    assert.equal(await count(), 1);
    await scene.until(scene.facilitator.stop());
    assert.equal(await count(), 0);
  });
});
