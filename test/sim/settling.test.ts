import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toI128 } from '../../src/protocol/stellar/index.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { StoreError } from '../../src/server/store/index.ts';
import { discoverable } from '../support/discoverable.ts';
import { testKey } from '../support/payer.ts';
import { PAYER, paymentRequest, SELLER, USDC } from '../support/payment.ts';
import { ModelScene, never } from './modelScene.ts';
import { expiredUnused, hashOf, openUntil, rejectionOf, said } from './outcomes.ts';

const UNREACHABLE = new RpcError('unreachable', 'sendTransaction', 'no connection');

/** The ledger is read within a moment after the decision to refuse. */
function isAbout(milliseconds: number, expected: number): void {
  assert.ok(milliseconds >= expected && milliseconds < expected + 600, `${milliseconds} ms`);
}

function nothingTaken(scene: ModelScene): void {
  assert.deepEqual([...scene.ledger.taken.keys()], []);
}

describe('What a settlement is answered', () => {
  it('settled: the hash under which the ledger has it', async () => {
    const scene = await ModelScene.open();
    const presentedAt = scene.world.now;
    const outcome = await scene.settled(scene.payment());
    const hash = scene.takenHash;
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), [hash]);
    assert.deepEqual(said(outcome), {
      status: 'settled',
      hash,
      extensions: {
        bazaar: {
          ...{ status: 'rejected', cataloged: false },
          ...{ rejectedReason: 'no_discovery_extension', reason: 'no_discovery_extension' },
        },
      },
    });
    const found = await scene.status();
    assert.deepEqual(await scene.until(scene.facilitator.findSettlement({ hash })), found);
    const [first = 0, last = 0] = [found?.presentedAt, found?.updatedAt];
    assert.deepEqual([first >= presentedAt, last >= first], [true, true]);
    assert.deepEqual(
      { ...found, presentedAt: 0, updatedAt: 0 },
      {
        ...{ state: 'settled', moneyMoved: 'yes', hash, ledger: 1_001, feeCharged: 50_200n },
        ...{ payer: PAYER.address, payTo: SELLER.address, asset: USDC, amount: 100_000n },
        ...{ presentedAt: 0, updatedAt: 0 },
      },
    );
  });

  it('failed: the hash, what the ledger said, and until when the authorization can still pay', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    const outcome = await scene.settled(scene.payment());
    const hash = scene.takenHash;
    assert.deepEqual(said(outcome), {
      status: 'failed',
      hash,
      rejection: {
        ...{ code: 'transaction_failed', payer: PAYER.address, detail: 'FAILED txFailed' },
        known: openUntil(1_050, hash, 1_001),
      },
    });
    const { state, moneyMoved, ledger, feeCharged } = (await scene.status()) ?? {};
    assert.deepEqual(
      { state, moneyMoved, ledger, feeCharged },
      { state: 'failed', moneyMoved: 'not_yet', ledger: 1_001, feeCharged: 50_200n },
    );
  });

  it('pending: the hash alone, while the ledger has not decided; then the outcome', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const outcome = await scene.until(scene.settle(request));
    const hash = scene.takenHash;
    const pending = {
      ...{ status: 'pending', hash },
      rejection: { code: 'settlement_pending', payer: PAYER.address },
    };
    assert.deepEqual(said(outcome), pending);
    const { state, moneyMoved } = (await scene.status()) ?? {};
    assert.deepEqual({ state, moneyMoved }, { state: 'settling', moneyMoved: 'unknown' });
    assert.deepEqual(said(await scene.until(scene.settle(request))), pending);
    const decided = await scene.settled(request);
    assert.equal(hashOf(decided), hash);
  });

  it('pending: what was sent is never refused, even if the caller’s time is over first', async () => {
    const scene = await ModelScene.open({ config: { answerWithinMs: 5_000 } });
    const begun = scene.world.now;
    const outcome = await scene.until(scene.settle(scene.payment()));
    assert.deepEqual(said(outcome), {
      ...{ status: 'pending', hash: scene.takenHash },
      rejection: { code: 'settlement_pending', payer: PAYER.address },
    });
    assert.equal(scene.world.now - begun, 5_000);
  });

  it('failed: no ledger included it, once none can', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const { send } = scene.network;
    let sent = 0;
    scene.network.send = (envelope) => {
      sent += 1;
      // The first server takes it, and keeps it to itself; from then on nothing gets through but other transactions.
      if (sent === 1) {
        return Promise.resolve({
          ...{ status: 'PENDING', latestLedger: scene.ledger.ledger, resultCode: undefined },
        } as const);
      }
      return scene.ledger.ledger < 1_040
        ? Promise.reject(new RpcError('timeout', 'sendTransaction', 'no answer'))
        : send(envelope);
    };
    const first = await scene.until(scene.settle(request));
    assert.equal(first.status, 'pending');
    scene.ledger.closeUntil(1_100);
    const outcome = await scene.settled(request);
    assert.deepEqual(rejectionOf(outcome), {
      code: 'transaction_failed',
      payer: PAYER.address,
      detail: 'no ledger included the transaction',
      known: expiredUnused((await scene.status())?.hash),
    });
    assert.equal((await scene.status())?.moneyMoved, 'no');
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), []);
  });

  it('submission_failed: no server could be reached, and the payment may be presented again', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = () => Promise.reject(UNREACHABLE);
    const request = scene.payment();
    assert.deepEqual(said(await scene.settled(request)), {
      status: 'rejected',
      rejection: {
        code: 'submission_failed',
        payer: PAYER.address,
        detail: 'sendTransaction: no connection',
        known: openUntil(1_050),
      },
    });
    assert.equal(await scene.status(), undefined);
    nothingTaken(scene);
    scene.network.send = send;
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  it('submission_failed: the simulation had no answer', async () => {
    const scene = await ModelScene.open();
    scene.network.simulate = () =>
      Promise.reject(new RpcError('timeout', 'simulateTransaction', 'no answer in 6 s'));
    assert.deepEqual(said(await scene.settled(scene.payment())), {
      status: 'rejected',
      rejection: {
        code: 'submission_failed',
        payer: PAYER.address,
        detail: 'simulateTransaction: no answer in 6 s',
        known: openUntil(1_050),
      },
    });
    nothingTaken(scene);
  });

  it('ledger_too_slow: nothing was sent in time, and nothing is sent after the answer', async () => {
    const scene = await ModelScene.open();
    const { simulate } = scene.network;
    scene.network.simulate = async (envelope) => {
      await new Promise<void>((resolve) => scene.world.after(40_000, resolve));
      return simulate(envelope);
    };
    const request = scene.payment();
    const begun = scene.world.now;
    assert.deepEqual(said(await scene.until(scene.settle(request))), {
      status: 'rejected',
      rejection: {
        ...{ code: 'ledger_too_slow', payer: PAYER.address },
        known: {
          ...{ moneyMoved: 'unknown', hash: undefined },
          inWords: 'whether the payment was made is not known: an earlier request is settling it',
        },
      },
    });
    isAbout(scene.world.now - begun, 25_000);
    await scene.pass(60_000);
    nothingTaken(scene);
    scene.network.simulate = simulate;
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  it('unexpected_settle_error: a fault before sending releases the authorization', async () => {
    const scene = await ModelScene.open();
    const { simulate } = scene.network;
    const fault = new TypeError('a fault');
    scene.network.simulate = () => Promise.reject(fault);
    const request = scene.payment();
    await assert.rejects(scene.settled(request), fault);
    nothingTaken(scene);
    scene.network.simulate = simulate;
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  it('pending: a fault after sending leaves the hash, and the outcome is found later', async () => {
    const scene = await ModelScene.open();
    const { lookUp } = scene.network;
    scene.network.lookUp = () => Promise.reject(new TypeError('a fault'));
    const request = scene.payment();
    const outcome = await scene.until(scene.settle(request));
    const hash = scene.takenHash;
    assert.deepEqual(said(outcome), {
      ...{ status: 'pending', hash },
      rejection: { code: 'settlement_pending', payer: PAYER.address },
    });
    assert.match(scene.logged('error').join(), /settlement failed after submission/);
    scene.network.lookUp = lookUp;
    await scene.closing(scene.pass(10_000));
    const later = await scene.settled(request);
    assert.equal(hashOf(later), hash);
  });

  it('channels_busy: every channel is lent', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = never;
    for (let i = 0; i < 50; i++) {
      void scene.settle(scene.payment({ payer: testKey(`payer ${i}`) }));
    }
    await scene.pass(1_000);
    scene.network.send = send;
    const begun = scene.world.now;
    assert.deepEqual(said(await scene.settled(scene.payment())), {
      status: 'rejected',
      rejection: { code: 'channels_busy', payer: PAYER.address, known: openUntil(1_050) },
    });
    assert.equal(scene.world.now - begun >= 10_000, true);
  });

  it('payer_in_flight: the payer has as many settlements in flight as it may', async () => {
    const scene = await ModelScene.open({ config: { payerInFlight: 1 } });
    await scene.hangAt('send');
    assert.deepEqual(said(await scene.settled(scene.payment())), {
      status: 'rejected',
      rejection: { code: 'payer_in_flight', payer: PAYER.address, known: openUntil(1_050) },
    });
  });

  it('insufficient_funds: the payer has less than this payment needs beside those in flight', async () => {
    const scene = await ModelScene.open();
    const { simulate } = scene.network;
    const has = (balance: bigint) => async (envelope: string) => {
      const simulated = await simulate(envelope);
      // The asset is a token: its balance is asked of its contract.
      if (!Buffer.from(envelope, 'base64').includes('balance')) return simulated;
      return { ...simulated, returned: toI128(balance).toXdr('base64') };
    };
    scene.network.send = never;
    scene.network.simulate = has(50_000n);
    void scene.settle(scene.payment());
    await scene.pass(1_000);
    assert.deepEqual(said(await scene.settled(scene.payment())), {
      status: 'rejected',
      rejection: {
        ...{ code: 'insufficient_funds', payer: PAYER.address },
        detail: '50000 held, 100000 required',
        known: openUntil(1_050),
      },
    });
    scene.network.simulate = has(199_999n);
    const waiting = await scene.settled(scene.payment());
    assert.equal(rejectionOf(waiting)?.code, 'payer_in_flight');
    scene.network.simulate = has(200_000n);
    void scene.settle(scene.payment());
    await scene.pass(1_000);
    assert.equal(scene.facilitator.health().channels.free, 48);
  });

  it('reserves the highest fee while it is in flight, and releases it', async () => {
    const scene = await ModelScene.open();
    const reserved = () => scene.facilitator.health().sponsor.reserved;
    const settling = scene.settle(scene.payment());
    await scene.pass(200);
    assert.equal(reserved(), '500000');
    await scene.closing(settling);
    assert.equal(reserved(), '0');
  });

  it('a payment that cannot be read is refused, and its payer is not named', async () => {
    const scene = await ModelScene.open();
    const { paymentPayload, ...rest } = scene.payment();
    const garbled = {
      ...rest,
      paymentPayload: { ...paymentPayload, payload: { transaction: 'AAAA' } },
    };
    const outcome = await scene.settled(garbled);
    assert.equal(outcome.status, 'rejected');
    const { code, payer } = rejectionOf(outcome) ?? {};
    assert.deepEqual([code, payer], ['payload_malformed', undefined]);
  });

  it('a payment without an authorization is refused, whatever the simulation says', async () => {
    const scene = await ModelScene.open();
    const unsigned = paymentRequest({ entries: [] });
    const refusalFor = async () => {
      const outcome = await scene.settled(unsigned);
      return rejectionOf(outcome);
    };
    assert.deepEqual(await refusalFor(), { code: 'no_auth_entries', payer: PAYER.address });
    scene.network.simulate = () =>
      Promise.reject(new RpcError('timeout', 'simulateTransaction', 'no answer'));
    assert.deepEqual(await refusalFor(), {
      ...{ code: 'submission_failed', payer: PAYER.address },
      detail: 'simulateTransaction: no answer',
    });
    const fault = new TypeError('a fault');
    scene.network.simulate = () => Promise.reject(fault);
    await assert.rejects(refusalFor(), fault);
  });

  it('payer_backoff: the ledger has refused two of the payer’s settlements', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    assert.equal((await scene.settled(scene.payment())).status, 'failed');
    assert.equal((await scene.settled(scene.payment())).status, 'failed');
    scene.ledger.refuses = false;
    const outcome = await scene.settled(scene.payment());
    const rejection = rejectionOf(outcome);
    assert.equal(rejection?.code, 'payer_backoff');
    assert.match(rejection?.detail ?? '', /^again in ([1-9]|10) s$/);
    await scene.pass(11_000);
    assert.equal((await scene.settled(scene.payment())).status, 'settled');
  });

  it('sponsor_balance_low: the sponsor would fall below its floor', async () => {
    const scene = await ModelScene.open({ config: { sponsorFloorStroops: 1_000_000_000_000n } });
    const request = scene.payment();
    assert.deepEqual(said(await scene.settled(request)), {
      status: 'rejected',
      rejection: { code: 'sponsor_balance_low', payer: PAYER.address, known: openUntil(1_050) },
    });
    nothingTaken(scene);
  });
});

describe('What the store has to say before anything is sent', () => {
  it('without an answer, the payment is refused in time, and a late claim is released', async () => {
    const scene = await ModelScene.open();
    let answer: () => void = () => {};
    scene.onStatement = (sql) =>
      sql.includes('INSERT INTO settlements')
        ? new Promise<void>((resolve) => {
            answer = resolve;
          })
        : undefined;
    const request = scene.payment();
    const begun = scene.world.now;
    assert.deepEqual(said(await scene.until(scene.settle(request))), {
      status: 'rejected',
      rejection: {
        code: 'store_unavailable',
        payer: PAYER.address,
        detail: 'no answer in time',
        known: openUntil(1_050),
      },
    });
    isAbout(scene.world.now - begun, 25_000);
    scene.onStatement = () => undefined;
    answer();
    await scene.pass(1_000);
    assert.equal(await scene.status(), undefined);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  for (const [step, statement] of [
    ['the claim', 'INSERT INTO settlements'],
    ['the transaction', "SET state = 'submitting'"],
  ] as const) {
    it(`if it refuses ${step}, nothing is sent, and the payment may be presented again`, async () => {
      const scene = await ModelScene.open();
      scene.onStatement = (sql) => {
        if (sql.includes(statement)) throw new StoreError('full', 'the disk is full');
        return undefined;
      };
      const request = scene.payment();
      const outcome = await scene.settled(request);
      const rejection = rejectionOf(outcome);
      assert.equal(outcome.status, 'rejected');
      assert.equal(rejection?.code, 'store_unavailable');
      assert.equal(rejection?.detail, 'full');
      assert.deepEqual(rejection?.known, openUntil(1_050));
      assert.match(scene.logged('error').join(), /the store did not answer/);
      nothingTaken(scene);
      scene.onStatement = () => undefined;
      await scene.pass(1);
      assert.equal((await scene.settled(request)).status, 'settled');
    });
  }

  it('if it made the claim and its answer was lost, the claim is released', async () => {
    const scene = await ModelScene.open();
    scene.afterChange = (sql) => {
      if (sql.includes('INSERT INTO settlements')) throw new StoreError('unreachable', 'lost');
      return undefined;
    };
    const request = scene.payment();
    const outcome = await scene.settled(request);
    assert.equal(rejectionOf(outcome)?.code, 'store_unavailable');
    assert.equal((await scene.status())?.state, 'settling');
    scene.afterChange = () => undefined;
    await scene.pass(10_000);
    assert.equal(await scene.status(), undefined);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  it('if it refuses to release a refused payment, the refusal stands', async () => {
    const scene = await ModelScene.open();
    scene.network.simulate = () =>
      Promise.reject(new RpcError('timeout', 'simulateTransaction', 'no answer'));
    scene.onStatement = (sql) => {
      if (sql.includes('DELETE FROM settlements')) throw new StoreError('full', 'full');
      return undefined;
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(rejectionOf(outcome)?.code, 'submission_failed');
    assert.match(scene.logged('error').join(), /could not undo a settlement/);
  });

  it('if it refuses that nothing was sent, the answer is pending: another process may send it', async () => {
    const scene = await ModelScene.open();
    scene.network.send = () => Promise.reject(UNREACHABLE);
    scene.onStatement = (sql) => {
      if (sql.includes("'never_sent'")) throw new StoreError('full', 'full');
      return undefined;
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(outcome.status, 'pending');
    assert.equal(rejectionOf(outcome)?.code, 'settlement_pending');
    assert.match(scene.logged('error').join(), /could not undo a settlement/);
  });

  it('if it refuses the decision, the caller still gets it, and maintenance records it', async () => {
    const scene = await ModelScene.open();
    scene.onStatement = (sql) => {
      if (/SET state = \?|SET state = 'settled'/.test(sql)) {
        throw new StoreError('full', 'the disk is full');
      }
      return undefined;
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(outcome.status, 'settled');
    assert.match(scene.logged('error').join(), /could not record a decision/);
    assert.equal((await scene.status())?.state, 'settling');
    scene.onStatement = () => undefined;
    await scene.closing(scene.pass(10_000));
    assert.equal((await scene.status())?.state, 'settled');
    assert.match(scene.logged('info').join(), /finished an interrupted settlement/);
  });
});

describe('A record of an earlier version, without the payment’s terms', () => {
  it('has a status, and names neither payer nor amount', async () => {
    const scene = await ModelScene.open();
    await scene.settled(scene.payment());
    await scene.store.run(
      'UPDATE settlements SET payer = NULL, pay_to = NULL, asset = NULL, amount = NULL',
      [],
    );
    const { state, payer, payTo, asset, amount } = (await scene.status()) ?? {};
    assert.deepEqual(
      { state, payer, payTo, asset, amount },
      {
        state: 'settled',
        ...{ payer: undefined, payTo: undefined, asset: undefined, amount: undefined },
      },
    );
  });

  it('is resumed as any other', async () => {
    const scene = await ModelScene.open();
    scene.network.lookUp = never;
    scene.ledger.refuses = true;
    void scene.settle(scene.payment());
    await scene.pass(100);
    await scene.endAt('simulate', scene.payment({ payer: testKey('another payer') }));
    scene.ledger.close();
    await scene.store.run(
      'UPDATE settlements SET payer = NULL, pay_to = NULL, asset = NULL, amount = NULL',
      [],
    );
    const next = await scene.another();
    await next.pass(3_000);
    const [left] = await scene.store.all<{ n: number }>(
      "SELECT COUNT(*) AS n FROM settlements WHERE state IN ('claimed', 'submitting')",
    );
    assert.equal(Number(left?.n), 0);
    assert.deepEqual(next.logged('error'), []);
  });
});

describe('The catalog', () => {
  const url = 'https://seller.example/data';

  it('is notified of a settled payment that declares its resource', async () => {
    const scene = await ModelScene.open();
    const outcome = await scene.settled(discoverable(scene.payment(), url));
    assert.deepEqual(said(outcome), {
      ...{ status: 'settled', hash: scene.takenHash },
      extensions: { bazaar: { status: 'success', cataloged: true } },
    });
    const [settlement] = scene.catalog.settlements;
    assert.equal(settlement?.hash, scene.takenHash);
    assert.equal(settlement?.ledger, 1_001);
    assert.equal(scene.catalog.settlements.length, 1);
  });

  it('is not, if nothing is declared or nothing was paid', async () => {
    const scene = await ModelScene.open();
    await scene.settled(scene.payment());
    scene.ledger.refuses = true;
    await scene.settled(discoverable(scene.payment(), url));
    assert.deepEqual(scene.catalog.settlements, []);
  });

  it('may fail: the payment stays settled, and the notification is repeated', async () => {
    const scene = await ModelScene.open();
    scene.catalog.fails = true;
    const outcome = await scene.settled(discoverable(scene.payment(), url));
    const bazaar = { status: 'rejected', cataloged: false };
    const reason = 'cataloging_error';
    assert.deepEqual(said(outcome), {
      ...{ status: 'settled', hash: scene.takenHash },
      extensions: { bazaar: { ...bazaar, rejectedReason: reason, reason } },
    });
    assert.match(scene.logged('error').join(), /cataloging failed/);
    scene.catalog.fails = false;
    await scene.pass(10_000);
    assert.equal(scene.catalog.settlements.length > 1, true);
    const told = scene.catalog.settlements.length;
    await scene.pass(10_000);
    assert.equal(scene.catalog.settlements.length, told);
  });
});
