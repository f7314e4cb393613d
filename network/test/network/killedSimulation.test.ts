import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it, type Mock, mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Contract, Keypair } from '@stellar/stellar-sdk';
import { testContract } from '../helpers/testContract.ts';
import { deploy } from './deploy.ts';
import { callRpc, type Scene, startScene } from './scene.ts';

interface Answer {
  readonly result?: { readonly error?: string };
  readonly error?: { readonly code: number; readonly message: string };
}

const BUDGET = /^HostError: Error\(Budget, ExceededLimit\)/;

describe('a killed simulation thread', () => {
  let scene: Scene;
  let alice: Keypair;
  let contract: Contract;
  let posted: Mock<Worker['postMessage']>;
  before(async () => {
    scene = await startScene();
    alice = await scene.account();
    contract = await deploy(scene, alice, testContract(27));
    posted = mock.method(Worker.prototype, 'postMessage');
  });
  after(async () => {
    posted.mock.restore();
    await scene[Symbol.asyncDispose]();
  });

  async function spin(): Promise<Answer> {
    const transaction = (await scene.signed(alice, contract.call('spin'))).toXdr();
    const params = { transaction };
    const call = { jsonrpc: '2.0', id: 1, method: 'simulateTransaction', params };
    return (await callRpc(scene.url, call)) as Answer;
  }

  /** Threads that were sent a simulation. */
  const threads = (): Worker[] => [
    ...new Set(posted.mock.calls.map((call) => call.this as unknown as Worker)),
  ];

  /** The thread that a simulation is sent to: the next one, or one after that. */
  async function used(later = 0, before = posted.mock.callCount()): Promise<Worker> {
    while (posted.mock.callCount() <= before + later) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return posted.mock.calls[before + later]?.this as unknown as Worker;
  }

  const moments = {
    'as it starts': async () => await used(),
    'while it reads entries, or has read them': async () => {
      const worker = await used();
      await once(worker, 'message');
      return worker;
    },
  };
  for (const [moment, reached] of Object.entries(moments)) {
    it(`${moment}: everybody has the right answer`, async () => {
      const killed = reached().then((worker) => worker.terminate());
      const answers = await Promise.all([spin(), spin(), spin()]);
      await killed;
      for (const { result } of answers) assert.match(result?.error ?? '', BUDGET);
    });
  }

  it('again and again: its caller is refused, and waiting ones get their answers', async () => {
    // Each thread that is killed has yet to load, so that none has its outcome before.
    for (const worker of threads()) await worker.terminate();
    const killed = Promise.all([used(0), used(1)].map(async (next) => (await next).terminate()));
    const answers = await Promise.all([spin(), spin(), spin()]);
    await killed;
    const refused = answers.filter(({ error }) => error !== undefined);
    assert.equal(refused.length, 1);
    assert.deepEqual(refused[0]?.error, {
      code: -32_603,
      message: 'the simulation was stopped; try again',
    });
    for (const { result } of answers) if (result) assert.match(result.error ?? '', BUDGET);
    assert.match((await spin()).result?.error ?? '', BUDGET);
  });

  it('while nobody simulates: the next simulation gets its answer', async () => {
    await spin();
    const [worker] = threads().filter(({ threadId }) => threadId !== -1);
    const [next] = await Promise.all([spin(), worker?.terminate()]);
    assert.match(next.result?.error ?? '', BUDGET);
    assert.match((await spin()).result?.error ?? '', BUDGET);
  });

  it('leaves nothing behind', () => {
    assert.ok(threads().length > 5, `${threads().length} threads`);
    assert.equal(threads().filter(({ threadId }) => threadId !== -1).length, 1);
    assert.ok(
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length <= 1,
    );
  });
});
