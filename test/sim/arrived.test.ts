import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettleOutcome, VerifyOutcome } from '../../src/server/facilitator/index.ts';
import { settleAnswer } from '../../src/server/http/answers.ts';
import { discoverable } from '../support/discoverable.ts';
import { PAYER, STRANGER } from '../support/payment.ts';
import type { TokenMood } from './modelLedger.ts';
import { ModelScene } from './modelScene.ts';
import { hashOf, rejectionOf } from './outcomes.ts';

/** What an answer says of the money: the code, the statement, the hash that it names. */
function moneyIn(outcome: SettleOutcome | VerifyOutcome): readonly unknown[] {
  const { code, known } = rejectionOf(outcome) ?? {};
  return [outcome.status, code, known?.moneyMoved, known?.hash];
}

/** A scene whose token is of its own code, and reports what it likes. */
async function openWithToken(token: (asked: bigint) => TokenMood) {
  const scene = await ModelScene.open();
  scene.ledger.token = token;
  return scene;
}

const amounting = (amount: bigint) => () => ({ moves: amount, reports: amount });
const silent = (): TokenMood => ({ moves: 0n, reports: undefined });
const honest = (asked: bigint): TokenMood => ({ moves: asked, reports: asked });

/** What a client reads of it first. */
function answered(outcome: SettleOutcome): object {
  const { success, transaction, amount } = settleAnswer(outcome).body as Record<string, unknown>;
  return { success, transaction, amount };
}

/** What the journal says of the last payment. */
async function recorded(scene: ModelScene): Promise<readonly unknown[]> {
  const { state, moneyMoved, hash, amount } = (await scene.until(scene.status())) ?? {};
  return [state, moneyMoved, hash, amount];
}

describe('A payment whose transaction succeeds', () => {
  it('is settled if its events show the whole amount, with the same requests to the server as without events', async () => {
    const requests: number[] = [];
    for (const showsEvents of [true, false]) {
      const scene = await ModelScene.open();
      const { readEntries, lookUp } = scene.network;
      let count = 0;
      scene.network.readEntries = (keys) => {
        count += 1;
        return readEntries(keys);
      };
      scene.network.lookUp = async (hash) => {
        count += 1;
        const found = await lookUp(hash);
        return showsEvents || found.status === 'NOT_FOUND'
          ? found
          : { ...found, movements: undefined };
      };
      assert.equal((await scene.settled(scene.payment())).status, 'settled');
      requests.push(count);
    }
    assert.equal(requests[0], requests[1]);
  });

  it('is refused if less arrived: moneyMoved is “yes”, with the hash and what arrived', async () => {
    const scene = await openWithToken(amounting(90_000n));
    const request = scene.payment();
    const outcome = await scene.settled(request);
    const hash = scene.takenHash;
    assert.deepEqual(moneyIn(outcome), ['failed', 'paid_less', 'yes', hash]);
    assert.match(rejectionOf(outcome)?.known?.inWords ?? '', /90000 of 100000 arrived/);
    assert.deepEqual(answered(outcome), { success: false, transaction: hash, amount: '90000' });
    assert.deepEqual(await recorded(scene), ['failed', 'yes', hash, 90_000n]);
    assert.deepEqual(scene.catalog.settlements, []);
    const again = await scene.until(scene.settle(request));
    assert.deepEqual(moneyIn(again), ['rejected', 'authorization_replayed', 'yes', hash]);
    const verified = await scene.until(scene.facilitator.verify(request));
    assert.deepEqual(moneyIn(verified), ['invalid', 'authorization_replayed', 'yes', hash]);
  });

  it('is refused if it shows nothing of the payment: moneyMoved is “unknown”', async () => {
    for (const token of [
      silent,
      amounting(0n),
      (asked: bigint) => ({ ...honest(asked), names: { to: STRANGER.address } }),
      (asked: bigint) => ({ ...honest(asked), names: { from: STRANGER.address } }),
    ]) {
      const scene = await openWithToken(token);
      const request = scene.payment();
      const outcome = await scene.settled(request);
      const hash = scene.takenHash;
      assert.deepEqual(moneyIn(outcome), ['failed', 'paid_less', 'unknown', hash]);
      assert.deepEqual(answered(outcome), { success: false, transaction: hash, amount: undefined });
      assert.deepEqual(await recorded(scene), ['failed', 'unknown', hash, 0n]);
      const again = await scene.until(scene.settle(request));
      assert.deepEqual(moneyIn(again), ['rejected', 'authorization_replayed', 'unknown', hash]);
    }
  });

  it('is settled if more arrived, for the amount that arrived', async () => {
    const scene = await openWithToken(amounting(110_000n));
    const outcome = await scene.settled(scene.payment());
    assert.ok(outcome.status === 'settled');
    const { hash } = outcome;
    assert.deepEqual(answered(outcome), { success: true, transaction: hash, amount: '110000' });
    assert.deepEqual(await recorded(scene), ['settled', 'yes', outcome.hash, 110_000n]);
  });

  it('is judged alike after a restart', async () => {
    const scene = await openWithToken(amounting(90_000n));
    const request = scene.payment();
    await scene.endAt('lookUp', request);
    scene.ledger.close();
    const next = await scene.another({ nonces: scene.nonce });
    await next.closing(next.pass(20_000));
    const outcome = await next.settled(request);
    const hash = scene.takenHash;
    assert.deepEqual(moneyIn(outcome), ['failed', 'paid_less', 'yes', hash]);
    assert.deepEqual(await recorded(next), ['failed', 'yes', hash, 90_000n]);
    assert.deepEqual(next.catalog.settlements, []);
  });

  it('is “unknown” for a facilitator without its record, too, if it shows nothing of the payment', async () => {
    const scene = await openWithToken(silent);
    const request = scene.payment();
    await scene.settled(request);
    const hash = scene.takenHash;
    const next = await scene.restored();
    const outcomes = [
      await next.until(next.facilitator.verify(request)),
      await next.settled(request),
    ];
    for (const outcome of outcomes) assert.equal(moneyIn(outcome)[2], 'unknown');
    const by = [{ hash }, { payer: PAYER.address, nonce: scene.nonce }];
    for (const name of by) {
      assert.equal((await next.until(next.facilitator.askLedger(name))).moneyMoved, 'unknown');
    }
    assert.equal(scene.ledger.settledAs(scene.authorization).length, 1);
  });

  it('is “yes” for a facilitator without its record if it shows a part of the payment', async () => {
    const scene = await openWithToken(amounting(1n));
    const request = scene.payment();
    await scene.settled(request);
    const next = await scene.restored();
    assert.equal(moneyIn(await next.settled(request))[2], 'yes');
  });

  it('does not count against its payer if the token reports nothing', async () => {
    const scene = await openWithToken(silent);
    for (let round = 0; round < 5; round++) await scene.settled(scene.payment());
    scene.ledger.token = honest;
    assert.equal((await scene.settled(scene.payment())).status, 'settled');
    scene.kill();
    const next = await scene.another({ nonces: scene.nonce });
    assert.equal((await next.settled(next.payment())).status, 'settled');
  });
});

describe('The catalog', () => {
  it('learns whether the ledger itself moved the money, or a token reported it', async () => {
    for (const hasStellarAssets of [true, false]) {
      const scene = await ModelScene.open();
      scene.ledger.token = hasStellarAssets ? undefined : honest;
      const hash = hashOf(
        await scene.settled(discoverable(scene.payment(), 'https://seller.example/data')),
      );
      const [settlement] = scene.catalog.settlements;
      assert.equal(settlement?.hash, hash);
      assert.equal(settlement?.isProved, hasStellarAssets);
    }
  });
});
