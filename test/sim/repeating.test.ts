import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { Caller, SettleOutcome, VerifyOutcome } from '../../src/server/facilitator/index.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { StoreError } from '../../src/server/store/index.ts';
import { discoverable } from '../support/discoverable.ts';
import { PAYER } from '../support/payment.ts';
import { ModelScene, never } from './modelScene.ts';
import { hashOf, openUntil, paidAs, rejectionOf, said } from './outcomes.ts';

/** A caller whose connection a test ends. */
class Connection implements Caller {
  readonly delivered: Promise<boolean>;
  /** @param delivered whether the answer was flushed to it */
  end: (delivered: boolean) => void = () => {};

  constructor() {
    this.delivered = new Promise((resolve) => {
      this.end = resolve;
    });
  }
}

/** The same authorization, sold under other terms. */
function underOtherTerms(request: FacilitatorRequest): FacilitatorRequest {
  const paymentRequirements = { ...request.paymentRequirements, maxTimeoutSeconds: 299 };
  return {
    ...request,
    paymentRequirements,
    paymentPayload: { ...request.paymentPayload, accepted: paymentRequirements },
  };
}

/** Holds the rows of the next reading of the journal. */
function holdNextRead(scene: ModelScene) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = new Promise<void>((resolve) => {
    scene.afterRead = (sql) => {
      if (!sql.includes('FROM settlements')) return undefined;
      scene.afterRead = () => undefined;
      resolve();
      return released;
    };
  });
  return { held, release };
}

describe('An identical request', () => {
  it('is refused once the outcome was delivered, and says that the payment is made', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const hash = hashOf(await scene.settled(request));
    await scene.pass(1_000);
    const replayed = {
      status: 'rejected',
      rejection: {
        ...{ code: 'authorization_replayed', payer: PAYER.address },
        known: paidAs(hash, 1_001),
      },
    };
    assert.deepEqual(said(await scene.settled(request)), replayed);
    assert.deepEqual(said(await scene.settled(underOtherTerms(request))), replayed);
    assert.deepEqual(scene.ledger.settledAs(scene.authorization), [hash]);
  });

  it('is refused after a failure, and says until when it can still pay', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    const request = scene.payment();
    await scene.settled(request);
    await scene.pass(1_000);
    const hash = scene.takenHash;
    assert.deepEqual(rejectionOf(await scene.settled(request)), {
      ...{ code: 'authorization_replayed', payer: PAYER.address },
      detail: `its transaction ${hash} failed on the ledger`,
      known: openUntil(1_050, hash, 1_001),
    });
  });

  it('gets the outcome that the first caller did not get', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const first = new Connection();
    const settling = scene.settle(request, first);
    await scene.pass(100);
    first.end(false);
    await scene.closing(settling);
    const second = new Connection();
    const begun = scene.world.now;
    const outcome = await scene.settled(request, second);
    assert.equal(hashOf(outcome), scene.takenHash);
    assert.equal(scene.world.now - begun < 1_000, true);
    second.end(true);
    await scene.pass(1_000);
    const third = await scene.settled(request);
    assert.equal(rejectionOf(third)?.code, 'authorization_replayed');
  });

  it('gets a failure that the first caller did not get', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    const request = scene.payment();
    const first = new Connection();
    const failed = await scene.settled(request, first);
    first.end(false);
    await scene.pass(10);
    assert.deepEqual(said(await scene.settled(request)), said(failed));
  });

  it('gets what the first caller did not get once, if two ask at the same moment', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const first = new Connection();
    const settling = scene.settle(request, first);
    await scene.pass(100);
    first.end(false);
    await scene.closing(settling);
    // The store has given the outcome to the second, which learns it when the third gets it too, or asks for it in vain.
    let release = (): void => {};
    let given = 0;
    scene.afterChange = (sql) => {
      if (!sql.includes("answer = 'held'")) return undefined;
      given += 1;
      if (given > 1) release();
      const learnt = new Promise<void>((resolve) => {
        release = resolve;
      });
      return given === 1 ? learnt : undefined;
    };
    const second = scene.settle(request);
    await scene.pass(100);
    const third = scene.settle(request);
    await scene.pass(100);
    release();
    const outcomes = await scene.until(Promise.all([second, third]));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['rejected', 'settled']);
  });

  it('waits while the first caller waits, and is refused when that one has the outcome', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const first = new Connection();
    const settling = scene.settle(request, first);
    await scene.pass(100);
    const repeated = scene.settle(request);
    const outcome = await scene.closing(settling);
    assert.equal(hashOf(outcome), scene.takenHash);
    const begun = scene.world.now;
    assert.equal(rejectionOf(await scene.closing(repeated))?.code, 'authorization_replayed');
    // The outcome's delivery takes three seconds at most.
    assert.equal(scene.world.now - begun <= 3_100, true);
    first.end(true);
  });

  it('gets the outcome if the first caller goes while it waits', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const first = new Connection();
    void scene.settle(request, first);
    await scene.pass(100);
    const repeated = scene.settle(request);
    await scene.pass(100);
    first.end(false);
    assert.equal(hashOf(await scene.closing(repeated)), scene.takenHash);
  });

  it('gets the refusal of the first, whose caller left, as soon as there is one', async () => {
    const scene = await ModelScene.open();
    scene.network.simulate = async () => {
      await new Promise<void>((resolve) => scene.world.after(2_000, resolve));
      throw new RpcError('timeout', 'simulateTransaction', 'no answer');
    };
    const request = scene.payment();
    const first = new Connection();
    void scene.settle(request, first);
    await scene.pass(100);
    first.end(false);
    const begun = scene.world.now;
    const outcome = await scene.until(scene.settle(request));
    assert.equal(rejectionOf(outcome)?.code, 'submission_failed');
    assert.equal(scene.world.now - begun < 5_000, true);
    assert.equal(scene.ledger.taken.size, 0);
  });

  it('is answered that it is pending if the ledger does not decide in time', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const settling = scene.settle(request);
    await scene.pass(100);
    const repeated = await scene.until(scene.settle(request));
    const hash = scene.takenHash;
    assert.deepEqual(said(repeated), {
      ...{ status: 'pending', hash },
      rejection: { code: 'settlement_pending', payer: PAYER.address },
    });
    assert.equal((await settling).status, 'pending');
    // Nobody has the outcome: one of two identical requests gets it.
    const both = [scene.settle(request), scene.settle(request)];
    const outcomes = await Promise.all(both.map((one) => scene.closing(one)));
    assert.deepEqual(outcomes.filter((one) => hashOf(one) === hash).length, 1);
    assert.equal(
      outcomes.filter((one) => rejectionOf(one)?.code === 'authorization_replayed').length,
      1,
    );
  });

  it('settles a payment whose first request was refused before anything was sent', async () => {
    const scene = await ModelScene.open();
    const { simulate } = scene.network;
    scene.network.simulate = () =>
      Promise.reject(new RpcError('timeout', 'simulateTransaction', 'no answer'));
    const request = scene.payment();
    await scene.settled(request);
    scene.network.simulate = simulate;
    await scene.pass(1);
    assert.equal(hashOf(await scene.settled(request)), scene.takenHash);
  });

  it('gets the same refusal if it arrived before the first caller had it', async () => {
    const scene = await ModelScene.open();
    const { simulate } = scene.network;
    scene.network.simulate = async () => {
      await new Promise<void>((resolve) => scene.world.after(1_000, resolve));
      throw new RpcError('timeout', 'simulateTransaction', 'no answer');
    };
    const request = scene.payment();
    const first = new Connection();
    const settling = scene.settle(request, first);
    await scene.pass(500);
    const repeated = scene.settle(request);
    const refused = await scene.until(settling);
    scene.network.simulate = simulate;
    assert.deepEqual(said(await scene.closing(repeated)), said(refused));
    // The refusal has not arrived yet: a request that comes now may have been sent before it.
    await scene.pass(50);
    assert.deepEqual(said(await scene.settled(request)), said(refused));
    assert.equal(scene.ledger.taken.size, 0);
    first.end(true);
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });
});

describe('An identical request, if the store does not record what the first caller got', () => {
  it('gets the outcome, although it was not recorded that the first caller left', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const first = new Connection();
    const settling = scene.settle(request, first);
    scene.onStatement = (sql) => {
      if (sql.includes("answer = 'owed'")) throw new StoreError('full', 'full');
      return undefined;
    };
    await scene.pass(100);
    first.end(false);
    await scene.closing(settling);
    assert.match(scene.logged('error').join(), /could not record the undelivered outcome/);
    scene.onStatement = () => undefined;
    assert.equal(hashOf(await scene.settled(request)), scene.takenHash);
  });

  it('gets it at every instance once the store records again that the first caller left', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const first = new Connection();
    const settling = scene.settle(request, first);
    scene.onStatement = (sql) => {
      if (sql.includes("answer = 'owed'")) throw new StoreError('full', 'full');
      return undefined;
    };
    await scene.pass(100);
    first.end(false);
    await scene.closing(settling);
    await scene.pass(10_000);
    scene.onStatement = () => undefined;
    // Shorter than another instance waits for the first caller.
    await scene.pass(2_500);
    const [row] = await scene.store.all('SELECT answer FROM settlements', []);
    assert.deepEqual(row, { answer: 'owed' });
    assert.equal(hashOf(await scene.settled(request)), scene.takenHash);
  });

  for (const { what, fails } of [
    { what: 'fails while a later caller waits for it', fails: 'afterRead' },
    { what: 'does not say that it gave it to a later caller', fails: 'afterChange' },
  ] as const) {
    it(`gets it at every instance if the store ${what}`, async () => {
      const scene = await ModelScene.open();
      const request = scene.payment();
      const first = new Connection();
      const settling = scene.settle(request, first);
      await scene.pass(100);
      first.end(false);
      await scene.closing(settling);
      scene.afterChange = (sql) => {
        if (!sql.includes("answer = 'held'")) return undefined;
        if (fails === 'afterChange') throw new StoreError('full', 'full');
        scene.afterRead = () => Promise.reject(new StoreError('full', 'full'));
        return undefined;
      };
      const code = rejectionOf(await scene.settled(request))?.code;
      assert.equal(code, 'store_unavailable');
      scene.afterChange = () => undefined;
      scene.afterRead = () => Promise.resolve();
      await scene.pass(2_500);
      const [row] = await scene.store.all('SELECT answer FROM settlements', []);
      assert.deepEqual(row, { answer: 'owed' });
    });
  }

  it('is refused, if it was not recorded that the first caller has the outcome', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    scene.onStatement = (sql) => {
      if (sql.includes("answer = 'given'")) throw new StoreError('full', 'full');
      return undefined;
    };
    await scene.settled(request);
    await scene.pass(1_000);
    assert.equal(rejectionOf(await scene.settled(request))?.code, 'authorization_replayed');
  });

  it('is pending while the store does not record that an answer is owed', async () => {
    const scene = await ModelScene.open();
    scene.onStatement = (sql) =>
      sql.includes("answer = 'owed'") ? new Promise(() => {}) : undefined;
    const begun = scene.world.now;
    const outcome = await scene.until(scene.settle(scene.payment()));
    assert.equal(outcome.status, 'pending');
    // The ledger has 20 s, the store one.
    assert.equal(Math.round((scene.world.now - begun) / 1_000), 21);
  });
});

describe('An identical request, while nothing was sent yet', () => {
  it('is refused as pending without a hash when its time is over', async () => {
    const scene = await ModelScene.open();
    scene.network.simulate = () => new Promise(() => {});
    const request = scene.payment();
    void scene.settle(request);
    await scene.pass(100);
    const begun = scene.world.now;
    assert.deepEqual(said(await scene.until(scene.settle(request))), {
      ...{ status: 'rejected' },
      rejection: { code: 'settlement_pending', payer: PAYER.address },
    });
    assert.equal(Math.round((scene.world.now - begun) / 1_000), 20);
  });

  it('waits for the catalog, so that both get the same extension responses', async () => {
    const scene = await ModelScene.open();
    scene.catalog.takesMs = 5_000;
    const request = discoverable(scene.payment(), 'https://seller.example/data');
    const first = new Connection();
    void scene.settle(request, first);
    await scene.pass(100);
    first.end(false);
    const outcome = await scene.settled(request);
    assert.deepEqual(said(outcome), {
      ...{ status: 'settled', hash: scene.takenHash },
      extensions: { bazaar: { status: 'success', cataloged: true } },
    });
  });
});

describe('An identical request, while the first caller gets the outcome', () => {
  for (const route of ['settle', 'verify'] as const) {
    for (const rows of ['before that is recorded', 'after that is recorded'] as const) {
      it(`learns from /${route} that the payment is made, if older rows arrive ${rows}`, async () => {
        const scene = await ModelScene.open();
        const request = scene.payment();
        const first = new Connection();
        const settling = scene.settle(request, first);
        await scene.pass(100);
        // What is read now says that it is being settled.
        const { held, release } = holdNextRead(scene);
        const repeated: Promise<SettleOutcome | VerifyOutcome> =
          route === 'settle' ? scene.settle(request) : scene.facilitator.verify(request);
        await scene.until(held);
        const hash = hashOf(await scene.closing(settling));
        if (rows === 'before that is recorded') {
          scene.onStatement = (sql) => (sql.includes("answer = 'given'") ? never() : undefined);
        }
        first.end(true);
        await scene.pass(1_000);
        release();
        const { known } = rejectionOf(await scene.until(repeated)) ?? {};
        assert.deepEqual(known, paidAs(hash, 1_001));
      });
    }
  }
});

describe('Another request with the same authorization', () => {
  it('is refused while the first is being settled, which says nothing about money', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const settling = scene.settle(request);
    await scene.pass(200);
    assert.deepEqual(rejectionOf(await scene.until(scene.settle(underOtherTerms(request)))), {
      ...{ code: 'authorization_replayed', payer: PAYER.address },
      detail: 'it is being settled: send the identical request again to get the outcome',
      known: { moneyMoved: 'unknown', hash: scene.takenHash },
    });
    assert.equal(hashOf(await scene.closing(settling)), scene.takenHash);
  });
});
