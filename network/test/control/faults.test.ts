import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Keypair, Operation, type rpc } from '@stellar/stellar-sdk';
import { callRpc, hashOf, type Scene, startScene } from '../network/scene.ts';

const HEALTH = { jsonrpc: '2.0', id: 1, method: 'getHealth' };

describe('answers fail on request', () => {
  let scene: Scene;
  let alice: Keypair;
  before(async () => {
    scene = await startScene();
    alice = await scene.account();
  });
  after(() => scene[Symbol.asyncDispose]());
  afterEach(() => scene.ledger.control('svc_clearFaults'));

  const bump = () => scene.signed(alice, Operation.bumpSequence({ bumpTo: '1' }));
  const statusOf = async (hash: string): Promise<rpc.Api.GetTransactionStatus> =>
    (await scene.server.getTransaction(hash)).status;

  it('tryAgainLater: the given number of submissions is refused, and the next one is accepted', async () => {
    const { control } = scene.ledger;
    const asked = { method: 'sendTransaction', kind: 'tryAgainLater', times: 2 } as const;
    assert.deepEqual(await control('svc_injectFault', asked), { pending: 2 });
    const transaction = await bump();
    const statuses: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { status, hash } = await scene.server.sendTransaction(transaction);
      assert.equal(hash, hashOf(transaction));
      statuses.push(status);
    }
    assert.deepEqual(statuses, ['TRY_AGAIN_LATER', 'TRY_AGAIN_LATER', 'PENDING']);
    // The next transaction takes the next sequence number.
    scene.ledger.closeLedger();
  });

  it('timeout: nothing is done, and the connection ends', async () => {
    const asked = { method: 'sendTransaction', kind: 'timeout', milliseconds: 20 } as const;
    await scene.ledger.control('svc_injectFault', asked);
    const transaction = await bump();
    await assert.rejects(scene.server.sendTransaction(transaction));
    scene.ledger.closeLedger();
    assert.equal(await statusOf(hashOf(transaction)), 'NOT_FOUND');
  });

  it('lost: it is done, but the connection ends', async () => {
    const asked = { method: 'sendTransaction', kind: 'lost', milliseconds: 0 } as const;
    await scene.ledger.control('svc_injectFault', asked);
    const transaction = await bump();
    await assert.rejects(scene.server.sendTransaction(transaction));
    assert.equal(await statusOf(hashOf(transaction)), 'SUCCESS');
  });

  it('late: it is done at once, and answered later', async () => {
    const asked = { method: 'getHealth', kind: 'late', milliseconds: 150 } as const;
    await scene.ledger.control('svc_injectFault', asked);
    const start = performance.now();
    assert.equal((await scene.server.getHealth()).status, 'healthy');
    assert.ok(performance.now() - start >= 145);
  });

  it('error5xx: HTTP 503', async () => {
    await scene.ledger.control('svc_injectFault', { method: 'getHealth', kind: 'error5xx' });
    const ask = (): Promise<Response> =>
      fetch(`${scene.url}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(HEALTH),
      });
    assert.equal((await ask()).status, 503);
    assert.equal((await ask()).status, 200);
  });

  it('lag: a closed transaction is not found yet', async () => {
    const transaction = await bump();
    await scene.submit(transaction);
    await scene.ledger.control('svc_injectFault', {
      method: 'getTransaction',
      kind: 'lag',
      times: 2,
    });
    const hash = hashOf(transaction);
    assert.equal(await statusOf(hash), 'NOT_FOUND');
    assert.equal(await statusOf(hash), 'NOT_FOUND');
    assert.equal(await statusOf(hash), 'SUCCESS');
  });

  it('svc_clearFaults removes the remaining ones', async () => {
    const asked = { method: 'getHealth', kind: 'error5xx', times: 5 } as const;
    await scene.ledger.control('svc_injectFault', asked);
    assert.deepEqual(await scene.ledger.control('svc_clearFaults'), { cleared: 5 });
    assert.equal((await scene.server.getHealth()).status, 'healthy');
  });

  it('calls without a socket are affected too', async () => {
    await scene.ledger.control('svc_injectFault', { method: 'getHealth', kind: 'error5xx' });
    await assert.rejects(scene.ledger.call('getHealth'), { message: 'service unavailable' });
  });

  it('impossible faults are refused', async () => {
    const { control } = scene.ledger;
    const refused = (params: object, message: RegExp) =>
      assert.rejects(control('svc_injectFault', { method: 'getHealth', kind: 'late', ...params }), {
        code: -32602,
        message,
      });
    await refused({ method: 'getMoney' }, /method must be one of getEvents/);
    await refused({ kind: 'lag' }, /lag is only available for getTransaction/);
    await refused(
      { kind: 'error5xx', milliseconds: 5 },
      /milliseconds is only allowed with timeout/,
    );
    await refused({ times: 0 }, /times must be a whole number from 1/);
  });
});

describe('control has its own path, for programs of this machine', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ close: { kind: 'manual' } });
  });
  after(() => scene[Symbol.asyncDispose]());

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${scene.url}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('answers JSON-RPC', async () => {
    const { result } = (await (
      await post({ jsonrpc: '2.0', id: 4, method: 'svc_closeLedger' })
    ).json()) as { result: { ledger: number } };
    assert.equal(result.ledger, (await scene.server.getLatestLedger()).sequence);
    const bad: readonly [unknown, number][] = [
      ['{', -32700],
      [[], -32600],
      [{ jsonrpc: '2.0', id: 4, method: 'getHealth' }, -32601],
      [{ jsonrpc: '2.0', id: 4, method: 'svc_advanceTime', params: { seconds: 'x' } }, -32602],
      [{ jsonrpc: '2.0', id: 4, method: 'toString' }, -32601],
    ];
    for (const [body, code] of bad) {
      const { error } = (await (await post(body)).json()) as { error: { code: number } };
      assert.equal(error.code, code, JSON.stringify(body));
    }
  });

  it('Stellar RPC does not know its methods', async () => {
    const answer = await callRpc(scene.url, { jsonrpc: '2.0', id: 1, method: 'svc_closeLedger' });
    assert.equal((answer as { error: { code: number } }).error.code, -32601);
  });

  it('refuses pages in a browser, other hosts, forms and other methods', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'svc_closeLedger' };
    const { sequence } = await scene.server.getLatestLedger();
    assert.equal((await post(call, { origin: 'http://127.0.0.1:8000' })).status, 403);
    assert.equal((await post(call, { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await fetch(`${scene.url}/control`)).status, 405);
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      assert.equal((await post(call, { 'sec-fetch-site': site })).status, 403, site);
    }
    const preflight = await fetch(`${scene.url}/control`, { method: 'OPTIONS' });
    assert.equal(preflight.status, 405);
    for (const name of preflight.headers.keys()) assert.doesNotMatch(name, /^access-control/);
    const refused = await post(call, { origin: 'https://evil.example' });
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    assert.equal((await scene.server.getLatestLedger()).sequence, sequence);
  });
});
