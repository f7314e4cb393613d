import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NETWORK_RESET_WORDS } from '../../src/protocol/index.ts';
import { ModelScene } from './modelScene.ts';

/** Counts the calls that reach the server from now on. */
function counted(scene: ModelScene): () => number {
  let calls = 0;
  for (const method of ['glanceAt', 'getLedgerEntries', 'lookUp', 'send', 'simulate'] as const) {
    const call: (...args: never[]) => unknown = scene.network[method];
    Object.assign(scene.network, {
      [method]: (...args: never[]) => {
        calls += 1;
        return call(...args);
      },
    });
  }
  return () => calls;
}

const codesOf = (scene: ModelScene) =>
  scene.facilitator.readiness().reasons.map(({ code }) => code);

describe('When the test network starts again', () => {
  it('a payment that was submitted to the old one ends undecided, in the words that everything uses', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const request = scene.payment();
    const settling = scene.settle(request);
    await scene.pass(500);
    scene.ledger.reset();
    const outcome = await scene.closing(settling);
    assert.equal(outcome.status, 'failed');
    assert.ok(outcome.status === 'failed');
    assert.equal(outcome.rejection.code, 'network_reset');
    assert.equal(outcome.rejection.known?.moneyMoved, 'unknown');
    assert.equal(outcome.hash, outcome.rejection.known?.hash);
    assert.equal(scene.resets, 1);
    assert.deepEqual(codesOf(scene), ['network_reset']);
    assert.ok(scene.logged('error').includes(NETWORK_RESET_WORDS));
  });

  it('the next service says the same of it, to an identical request and by its hash', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const request = scene.payment();
    await scene.hangAt('lookUp', request);
    scene.kill();
    scene.ledger.reset();
    const next = await scene.another({ isWatching: true, nonces: scene.nonce });
    await next.pass(1_000);
    const outcome = await next.settled(request);
    assert.ok(outcome.status === 'failed', outcome.status);
    assert.equal(outcome.rejection.code, 'network_reset');
    const status = await next.until(next.facilitator.findSettlement({ hash: outcome.hash }));
    assert.deepEqual([status?.state, status?.moneyMoved], ['unproven', 'unknown']);
    assert.ok(next.logged('warn').some((line) => line.includes(NETWORK_RESET_WORDS)));
    assert.equal((await next.settled(next.payment())).status, 'settled');
    assert.deepEqual(codesOf(next), []);
  });

  it('and a ledger of the new one with the old number decides nothing', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const request = scene.payment();
    await scene.hangAt('lookUp', request);
    scene.kill();
    scene.ledger.reset();
    const next = await scene.another({ isWatching: true });
    scene.ledger.closeUntil(1_200);
    await next.pass(700_000);
    const outcome = await next.settled(request);
    assert.ok(outcome.status === 'failed' && outcome.rejection.code === 'network_reset');
  });

  it('a server that is behind is not taken for a new network', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const { getHealth } = scene.network;
    scene.network.getHealth = async () => {
      const health = await getHealth();
      const { ledgers } = health;
      return { ...health, ledgers: ledgers && { ...ledgers, latest: ledgers.latest - 50 } };
    };
    await scene.pass(20_000);
    assert.equal(scene.resets, 0);
    assert.deepEqual(codesOf(scene), []);
  });
});

describe('A payment whose channel disappeared', () => {
  it('ends undecided, frees its channel, and makes few calls until then', async () => {
    const scene = await ModelScene.open();
    const settlings = Array.from({ length: 20 }, () => scene.settle(scene.payment()));
    await scene.pass(300);
    const calls = counted(scene);
    scene.ledger.reset();
    scene.ledger.hasAccounts = false;
    const outcomes = await scene.closing(Promise.all(settlings));
    await scene.closing(scene.pass(30_000));
    for (const outcome of outcomes) assert.notEqual(outcome.status, 'settled');
    assert.equal(scene.facilitator.health().channels.free, 50);
    const each = calls() / settlings.length;
    assert.ok(each < 100, `${each} calls for each payment`);
  });
});

/** Lets four probes pass, and asserts that the service never says that it is not ready. */
async function neverNotReady(scene: ModelScene): Promise<void> {
  for (let tick = 0; tick < 130; tick++) {
    await scene.pass(100);
    assert.deepEqual(codesOf(scene), []);
  }
}

describe('/ready follows the ledger within ten seconds', () => {
  it('a server that does not answer, and answers again', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const { glanceAt, getHealth } = scene.network;
    await scene.pass(3_500);
    assert.deepEqual(codesOf(scene), []);
    scene.network.glanceAt = () => new Promise(() => {});
    scene.network.getHealth = () => new Promise(() => {});
    await scene.pass(10_000);
    assert.deepEqual(codesOf(scene), ['rpc_unavailable']);
    Object.assign(scene.network, { glanceAt, getHealth });
    await scene.pass(10_000);
    assert.deepEqual(codesOf(scene), []);
    const lines = [...scene.logged('error'), ...scene.logged('info')];
    assert.ok(lines.some((line) => line.includes('does not answer')));
    assert.ok(lines.includes('the ledger can be used again'));
  });

  it('one probe without an answer changes nothing', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const { getHealth } = scene.network;
    scene.network.getHealth = () => {
      scene.network.getHealth = getHealth;
      return new Promise(() => {});
    };
    for (let second = 0; second < 12; second++) {
      await scene.pass(1_000);
      assert.deepEqual(codesOf(scene), []);
    }
  });

  it('one answer that says that the server cannot serve changes nothing', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const { getHealth } = scene.network;
    scene.network.getHealth = async () => {
      scene.network.getHealth = getHealth;
      return { problem: 'latency is too high', ledgers: undefined };
    };
    await neverNotReady(scene);
  });

  it('one answer in which no account exists changes nothing', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const { glanceAt } = scene.network;
    scene.network.glanceAt = async (keys) => {
      scene.network.glanceAt = glanceAt;
      return { ...(await glanceAt(keys)), found: new Map() };
    };
    await neverNotReady(scene);
  });

  it('one answer in which the sponsor alone is missing changes nothing', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    const { glanceAt } = scene.network;
    scene.network.glanceAt = async (keys) => {
      scene.network.glanceAt = glanceAt;
      const [sponsor, ...others] = keys;
      assert.ok(sponsor);
      return glanceAt(others);
    };
    await neverNotReady(scene);
  });

  it('a server that says that it cannot serve', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    scene.network.getHealth = async () => ({ problem: 'latency is too high', ledgers: undefined });
    await scene.pass(10_000);
    const [reason] = scene.facilitator.readiness().reasons;
    assert.equal(reason?.code, 'rpc_unavailable');
    assert.match(reason?.message ?? '', /latency is too high/);
  });

  it('accounts that are gone', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    scene.ledger.hasAccounts = false;
    await scene.pass(10_000);
    assert.deepEqual(codesOf(scene), ['sponsor_missing', 'channels_missing']);
    const words = scene.facilitator.readiness().reasons.map(({ message }) => message);
    assert.match(words.join(' '), /Fund it first.*create-channels/);
  });

  it('a sponsor that has its minimum and cannot pay another fee above it', async () => {
    const balance = 1_000_000_000_000n;
    const scene = await ModelScene.open({
      isWatching: true,
      config: { sponsorFloorStroops: balance - 1n },
    });
    assert.deepEqual(codesOf(scene), ['sponsor_below_floor']);
    const outcome = await scene.settled(scene.payment());
    assert.ok(outcome.status === 'rejected' && outcome.rejection.code === 'sponsor_balance_low');
  });

  it('a used-up limit of calls, and payments are refused at once with it', async () => {
    const scene = await ModelScene.open({ isWatching: true });
    Object.assign(scene.network, { limitedForMs: 9_000 });
    assert.deepEqual(codesOf(scene), ['rpc_limited']);
    const calls = counted(scene);
    const before = scene.world.now;
    const outcome = await scene.until(scene.settle(scene.payment()));
    assert.ok(outcome.status === 'rejected' && outcome.rejection.code === 'ledger_limited');
    assert.ok(scene.world.now - before < 100);
    const verified = await scene.until(scene.facilitator.verify(scene.payment()));
    assert.ok(verified.status === 'invalid' && verified.rejection.code === 'ledger_limited');
    assert.equal(calls(), 0);
  });
});
