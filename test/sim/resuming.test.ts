import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import { CONFIG_DEFAULTS, type FacilitatorConfig } from '../../src/server/config.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { StoreError } from '../../src/server/store/index.ts';
import { discoverable } from '../support/discoverable.ts';
import { testKey } from '../support/payer.ts';
import { PAYER, paymentRequest, STRANGER } from '../support/payment.ts';
import { ModelScene } from './modelScene.ts';
import { expiredUnused, hashOf, openUntil, rejectionOf, said } from './outcomes.ts';

const URL_SOLD = 'https://seller.example/data';

/** Money and state of the last payment, as another process knows them. */
async function known(scene: ModelScene, by: ModelScene) {
  const { nonce } = scene;
  const found = await by.until(by.facilitator.findSettlement({ payer: PAYER.address, nonce }));
  return found && { state: found.state, moneyMoved: found.moneyMoved, hash: found.hash };
}

describe('A process that ended while it settled leaves its work to the next', () => {
  it('nothing was signed: the payment may be presented again', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await scene.endAt('simulate', request);
    const next = await scene.another();
    await next.pass(100);
    assert.equal(await known(scene, next), undefined);
    const outcome = await next.settled(request);
    assert.equal(hashOf(outcome), scene.takenHash);
  });

  it('recorded and not sent: it is sent, and the identical request gets its outcome', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await scene.hangAt('send', request);
    assert.equal((await scene.status())?.state, 'settling');
    scene.kill();
    assert.equal(scene.ledger.taken.size, 0);
    const next = await scene.another();
    await next.closing(next.pass(5_000));
    const hash = scene.takenHash;
    assert.deepEqual(await known(scene, next), { state: 'settled', moneyMoved: 'yes', hash });
    assert.match(next.logged('info').join(), /finished an interrupted settlement/);
    const outcome = await next.settled(request);
    assert.equal(hashOf(outcome), hash);
  });

  it('settled meanwhile: the outcome is recorded, and the catalog is notified', async () => {
    const scene = await ModelScene.open();
    const request = discoverable(scene.payment(), URL_SOLD);
    await scene.endAt('lookUp', request);
    scene.ledger.close();
    const hash = scene.takenHash;
    const next = await scene.another();
    await next.pass(3_000);
    assert.deepEqual(await known(scene, next), { state: 'settled', moneyMoved: 'yes', hash });
    assert.deepEqual(
      next.catalog.settlements.map((one) => [one.hash, one.ledger, one.payment.amount]),
      [[hash, 1_001, 100_000n]],
    );
    const outcome = await next.settled(request);
    assert.deepEqual(said(outcome), {
      ...{ status: 'settled', hash },
      extensions: { bazaar: { status: 'success', cataloged: true } },
    });
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), [hash]);
  });

  it('failed meanwhile: that is recorded, and counts against the payer', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    assert.equal((await scene.settled(scene.payment())).status, 'failed');
    const request = scene.payment();
    await scene.endAt('lookUp', request);
    scene.ledger.close();
    const next = await scene.another();
    await next.closing(next.pass(3_000));
    const outcome = await next.settled(request);
    assert.deepEqual(rejectionOf(outcome), {
      ...{ code: 'transaction_failed', payer: PAYER.address },
      detail: 'FAILED txFailed',
      known: openUntil(1_051, scene.takenHash, 1_002),
    });
    const third = await next.settled(scene.payment());
    assert.equal(rejectionOf(third)?.code, 'payer_backoff');
  });

  it('its channel is withheld until the outcome is known, and free if nothing was sent', async () => {
    const scene = await ModelScene.open();
    await scene.hangAt('lookUp');
    await scene.endAt('simulate', scene.payment({ payer: testKey('another payer') }));
    const next = await scene.another();
    await next.pass(3_000);
    assert.equal(next.facilitator.health().channels.free, 49);
    await next.closing(next.pass(3_000));
    assert.equal(next.facilitator.health().channels.free, 50);
  });

  it('dropped meanwhile: no ledger will include it, and the answer says so', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await scene.endAt('send', request);
    scene.ledger.closeUntil(1_060);
    const next = await scene.another();
    await next.closing(next.pass(10_000));
    const outcome = await next.settled(request);
    assert.deepEqual(rejectionOf(outcome), {
      ...{ code: 'transaction_failed', payer: PAYER.address },
      detail: 'no ledger included the transaction',
      known: expiredUnused((await known(scene, next))?.hash),
    });
    assert.equal((await known(scene, next))?.moneyMoved, 'no');
  });

  it('settled, and the catalog was not notified: the next process notifies it', async () => {
    const scene = await ModelScene.open();
    scene.catalog.fails = true;
    await scene.settled(discoverable(scene.payment(), URL_SOLD));
    scene.kill();
    const next = await scene.another();
    await next.pass(3_000);
    assert.deepEqual(
      next.catalog.settlements.map(({ hash }) => hash),
      [scene.takenHash],
    );
    await next.pass(10_000);
    assert.equal(next.catalog.settlements.length, 1);
  });

  it('a store that refuses the outcome for a while gets it later', async () => {
    const scene = await ModelScene.open();
    await scene.endAt('lookUp');
    scene.ledger.close();
    let refuses = true;
    const next = await scene.another({
      onStatement: (sql) => {
        if (refuses && sql.includes('SET state = ?')) throw new StoreError('full', 'full');
        return undefined;
      },
    });
    await next.pass(5_000);
    assert.match(next.logged('error').join(), /could not resume a settlement/);
    assert.equal((await known(scene, next))?.moneyMoved, 'unknown');
    refuses = false;
    await next.pass(5_000);
    const hash = scene.takenHash;
    assert.deepEqual(await known(scene, next), { state: 'settled', moneyMoved: 'yes', hash });
  });

  it('settled meanwhile, twice: nothing counts against the payer', async () => {
    let scene = await ModelScene.open();
    for (const id of ['second', 'third']) {
      await scene.endAt('lookUp');
      scene.ledger.close();
      const next = await scene.another({ id, nonces: scene.nonce });
      await next.pass(3_000);
      scene = next;
    }
    assert.equal((await scene.settled(scene.payment())).status, 'settled');
  });

  it('what it paid in fees today counts for the next, too', async () => {
    const spendControls = {
      ...CONFIG_DEFAULTS.spendControls,
      ...{ enforced: true, feesPerDayStroops: 2_400_000n, unboundFeesPerDayStroops: 10n ** 12n },
    };
    // Looks every ten minutes.
    const config = { spendControls, instanceTtlMs: 2_400_000 };
    const scene = await ModelScene.open({ config });
    for (let times = 0; times < 2; times++) {
      assert.equal((await scene.settled(scene.payment())).status, 'settled');
    }
    // Two settlements cost 100,400 stroops. With the highest fee of a third, that is more than its caller's share.
    const refused = await scene.settled(scene.payment());
    const code = rejectionOf(refused)?.code;
    assert.equal(refused.status, 'rejected');
    scene.kill();
    const next = await scene.another({ config, nonces: scene.nonce });
    await next.pass(610_000);
    const still = await next.settled(next.payment());
    assert.equal(rejectionOf(still)?.code, code);
    await next.pass(87_000_000);
    assert.equal((await next.settled(next.payment())).status, 'settled');
  });

  it('refused as never sent, while the next one reads the list: it is not sent', async () => {
    const scene = await ModelScene.open();
    await scene.endAt('send');
    let listed = false;
    const next = await scene.another({
      onStatement: async (sql) => {
        if (!sql.includes('WHERE id = ?') || listed) return;
        listed = true;
        await scene.store.run(
          "UPDATE settlements SET state = 'never_sent', authorization_key = NULL",
          [],
        );
      },
    });
    await next.closing(next.pass(5_000));
    assert.equal(listed, true);
    assert.equal(scene.ledger.taken.size, 0);
  });

  it('settled and delivered: nothing is done again', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await scene.settled(request);
    await scene.pass(3_000);
    scene.kill();
    const next = await scene.another();
    await next.pass(3_000);
    const outcome = await next.settled(request);
    assert.equal(rejectionOf(outcome)?.code, 'authorization_replayed');
    assert.equal(next.catalog.settlements.length, 0);
  });
});

describe('An outcome that a server cannot show', () => {
  /** A payment that may have been sent, and whose history and nonce are gone. */
  async function unproven(config: Partial<FacilitatorConfig> = {}) {
    const scene = await ModelScene.open();
    const request = discoverable(scene.payment(), URL_SOLD);
    await scene.endAt('lookUp', request);
    scene.ledger.closeUntil(1_100);
    const next = await scene.another({ config });
    const { lookUp, readEntries } = next.network;
    // A history that starts after the payment, and a temporary entry that has expired.
    next.forgetBefore(1_090);
    next.network.readEntries = async (keys) => {
      const { found, ...rest } = await readEntries(keys);
      const [account] = keys;
      return { ...rest, found: new Map([...found].filter(([key]) => key === account)) };
    };
    const restore = (): void => {
      Object.assign(next.network, { lookUp, readEntries });
    };
    await next.pass(5_000);
    return { scene, next, request, restore };
  }

  it('is unproven: nothing is said about money, and the channel is free again', async () => {
    const { scene, next, request } = await unproven();
    const hash = scene.takenHash;
    assert.deepEqual(await known(scene, next), { state: 'unproven', moneyMoved: 'unknown', hash });
    assert.match(next.logged('warn').join(), /the history does not reach back to this transaction/);
    assert.equal(next.facilitator.health().channels.free, 50);
    const begun = next.world.now;
    assert.deepEqual(said(await next.until(next.settle(request))), {
      ...{ status: 'pending', hash },
      rejection: { code: 'settlement_pending', payer: PAYER.address },
    });
    assert.equal(next.world.now - begun < 1_000, true);
  });

  it('is looked for again with every request', async () => {
    const { scene, next, request, restore } = await unproven();
    restore();
    const outcome = await next.until(next.settle(request));
    assert.equal(hashOf(outcome), scene.takenHash);
    assert.equal((await known(scene, next))?.state, 'settled');
  });

  it('is a failure if the whole history shows no transaction', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    await scene.endAt('send', request);
    scene.ledger.closeUntil(1_100);
    const next = await scene.another();
    const { lookUp } = next.network;
    next.forgetBefore(1_090);
    await next.closing(next.pass(10_000));
    assert.equal((await known(scene, next))?.state, 'unproven');
    next.network.lookUp = lookUp;
    const outcome = await next.until(next.settle(request));
    assert.deepEqual(rejectionOf(outcome), {
      ...{ code: 'transaction_failed', payer: PAYER.address },
      detail: 'no ledger included the transaction',
      known: expiredUnused((await known(scene, next))?.hash),
    });
  });

  describe('is learnt from Horizon, if one is configured', () => {
    let answer: (hash: string) => object | undefined = () => undefined;
    const horizon = createServer((request, response) => {
      const hash = request.url?.split('/').at(-1) ?? '';
      const body = answer(hash);
      response.statusCode = body === undefined ? 404 : 200;
      response.end(JSON.stringify(body ?? {}));
    });
    before(async () => {
      await new Promise<void>((resolve) => horizon.listen(0, '127.0.0.1', resolve));
    });
    after(() => {
      horizon.close();
    });

    for (const [successful, expected] of [
      [true, { state: 'settled', moneyMoved: 'yes' }],
      // Another server has its movement, so that this one answer does not prove that nothing was paid.
      [false, { state: 'failed', moneyMoved: 'unknown' }],
    ] as const) {
      it(`a transaction that ${successful ? 'succeeded' : 'failed'}`, async () => {
        const { port } = horizon.address() as AddressInfo;
        const { scene, next } = await unproven({ horizonUrl: `http://127.0.0.1:${port}/` });
        // Horizon answers in real time.
        const leaves = async (state: string): Promise<void> => {
          while ((await known(scene, next))?.state === state) await pause(1);
        };
        await leaves('settling');
        assert.equal((await known(scene, next))?.state, 'unproven');
        answer = (hash) => ({ hash, successful, ledger: 1_001, fee_charged: '77' });
        await next.pass(610_000);
        await leaves('unproven');
        const hash = scene.takenHash;
        assert.deepEqual(await known(scene, next), { ...expected, hash });
        const { nonce } = scene;
        const by = { payer: PAYER.address, nonce };
        const found = await next.until(next.facilitator.findSettlement(by));
        assert.deepEqual([found?.ledger, found?.feeCharged], [1_001, 77n]);
        answer = () => undefined;
      });
    }
  });

  it('is looked for again every ten minutes', async () => {
    const { scene, next, restore } = await unproven();
    restore();
    await next.pass(590_000);
    assert.equal((await known(scene, next))?.state, 'unproven');
    await next.pass(20_000);
    assert.equal((await known(scene, next))?.state, 'settled');
    assert.equal(next.catalog.settlements.length, 1);
  });

  it('is learnt from the nonce and the transfer while the payment settles', async () => {
    const scene = await ModelScene.open();
    scene.network.lookUp = async () => {
      const { ledger } = scene.ledger;
      return { status: 'NOT_FOUND', latestLedger: ledger + 1_000, oldestLedger: ledger };
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(hashOf(outcome), scene.takenHash);
    assert.equal((await scene.status())?.ledger, 1_001);
  });

  it('is learnt from the nonce and the transfer, if only the history is gone', async () => {
    const scene = await ModelScene.open();
    await scene.endAt('lookUp');
    scene.ledger.closeUntil(1_045);
    const next = await scene.another();
    next.network.lookUp = async () => ({
      ...{ status: 'NOT_FOUND', latestLedger: scene.ledger.ledger + 10, oldestLedger: 1_040 },
    });
    await next.pass(60_000);
    const hash = scene.takenHash;
    assert.deepEqual(await known(scene, next), { state: 'settled', moneyMoved: 'yes', hash });
  });
});

describe('A server that contradicts the ledger’s entries', () => {
  it('is not believed: a success without the nonce is looked up again', async () => {
    const scene = await ModelScene.open();
    const lies = scene.lieBeforeInclusion('SUCCESS');
    const outcome = await scene.settled(scene.payment());
    assert.equal(lies() > 0, true);
    assert.equal(outcome.status, 'settled');
    assert.equal((await scene.status())?.feeCharged, 50_200n);
    assert.match(scene.logged('warn').join(), /the ledger contradicts itself; looking again/);
  });

  it('is not believed: a failure before any ledger has the transaction', async () => {
    const scene = await ModelScene.open();
    const lies = scene.lieBeforeInclusion('FAILED');
    const outcome = await scene.settled(scene.payment());
    assert.equal(lies() > 0, true);
    assert.equal(hashOf(outcome), scene.takenHash);
  });

  it('is not believed: a failure with the nonce used by this transaction', async () => {
    const scene = await ModelScene.open();
    const { lookUp } = scene.network;
    let lies = 0;
    scene.network.lookUp = async (hash) => {
      const found = await lookUp(hash);
      if (found.status === 'NOT_FOUND' || lies >= 3) return found;
      lies += 1;
      return { ...found, status: 'FAILED', resultCode: 'txFailed' };
    };
    const outcome = await scene.settled(scene.payment());
    assert.equal(lies, 3);
    assert.equal(hashOf(outcome), scene.takenHash);
  });

  it('is not believed: a success in another ledger than the nonce’s', async () => {
    const scene = await ModelScene.open();
    const { lookUp } = scene.network;
    let lies = 0;
    scene.network.lookUp = async (hash) => {
      const found = await lookUp(hash);
      if (found.status === 'NOT_FOUND' || lies >= 3) return found;
      lies += 1;
      return { ...found, ledger: found.ledger - 1 };
    };
    await scene.settled(scene.payment());
    assert.equal(lies, 3);
    assert.equal((await scene.status())?.ledger, 1_001);
  });

  it('is believed: a failure, since the payer used the nonce for another transaction', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const settling = scene.settle(request);
    await scene.pass(200);
    const other = paymentRequest({
      to: toScAddress(STRANGER.address),
      entries: [{ nonce: scene.nonce, expirationLedger: 1_050 }],
    });
    scene.submitBySeller(other, 'first');
    const outcome = await scene.closing(settling);
    assert.equal(rejectionOf(outcome)?.code, 'transaction_failed');
    assert.equal((await scene.status())?.moneyMoved, 'fees');
  });

  it('agrees on a network that closes ledgers on demand: the entries are read once', async () => {
    const scene = await ModelScene.open();
    const { send, readEntries } = scene.network;
    scene.network.send = async (envelope) => {
      const sent = await send(envelope);
      scene.ledger.close();
      return sent;
    };
    let reads = 0;
    scene.network.readEntries = (keys) => {
      reads += 1;
      return readEntries(keys);
    };
    const outcome = await scene.until(scene.settle(scene.payment()));
    assert.equal(outcome.status, 'settled');
    assert.equal(reads, 0);
  });

  it('that never stops leaves the outcome unproven, after twenty looks', async () => {
    const scene = await ModelScene.open();
    let looks = 0;
    const { lookUp } = scene.network;
    const lie: typeof lookUp = async (hash) => {
      const found = await lookUp(hash);
      if (found.status === 'NOT_FOUND') return found;
      looks += 1;
      return { ...found, status: 'SUCCESS', resultCode: 'txSuccess' };
    };
    scene.network.lookUp = lie;
    scene.ledger.refuses = true;
    const request = scene.payment();
    const outcome = await scene.settled(request);
    assert.equal(outcome.status, 'pending');
    await scene.pass(60_000);
    assert.equal(looks, 22);
    assert.equal((await scene.status())?.moneyMoved, 'unknown');
    scene.network.lookUp = lookUp;
    const later = await scene.settled(request);
    assert.equal(rejectionOf(later)?.code, 'transaction_failed');
  });
});

describe('Maintenance', () => {
  it('resumes a settlement that the store did not show it at first', async () => {
    const scene = await ModelScene.open();
    const { lookUp } = scene.network;
    scene.network.lookUp = () => Promise.reject(new TypeError('a fault'));
    const request = scene.payment();
    assert.equal((await scene.until(scene.settle(request))).status, 'pending');
    scene.network.lookUp = lookUp;
    let refused = 0;
    scene.onStatement = (sql) => {
      if (!sql.includes('WHERE id = ?') || !sql.includes('SELECT') || refused > 0) return undefined;
      refused += 1;
      throw new StoreError('unreachable', 'lost');
    };
    await scene.closing(scene.pass(10_000));
    assert.equal(refused, 1);
    assert.equal((await scene.status())?.state, 'settled');
  });

  it('forgets a settlement that nobody can ask for any more', async () => {
    const everyTenMinutes = { instanceTtlMs: 2_400_000 };
    const scene = await ModelScene.open({ config: everyTenMinutes });
    await scene.settled(scene.payment());
    scene.ledger.closeUntil(1_200);
    await scene.pass(6 * 86_400_000);
    assert.equal((await scene.status())?.state, 'settled');
    await scene.pass(2 * 86_400_000);
    assert.equal(await scene.status(), undefined);
  });

  it('continues after a pass that failed', async () => {
    const scene = await ModelScene.open();
    const { getLatestLedger } = scene.network;
    scene.network.getLatestLedger = () =>
      Promise.reject(new RpcError('timeout', 'getLatestLedger', 'no answer'));
    await scene.pass(610_000);
    assert.match(scene.logged('warn').join(), /maintenance pass failed; will retry/);
    scene.network.getLatestLedger = getLatestLedger;
    scene.log.length = 0;
    await scene.pass(1_300_000);
    assert.deepEqual(scene.logged('warn'), []);
  });

  it('ends with the service, which answers what is in flight', async () => {
    const scene = await ModelScene.open();
    const settling = scene.settle(scene.payment());
    await scene.pass(200);
    const stopped = scene.facilitator.stop();
    const outcome = await scene.until(settling);
    assert.equal(outcome.status, 'pending');
    await scene.until(stopped);
  });
});
