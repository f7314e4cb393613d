import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { type RunningFacilitator, startFacilitator, systemClock } from '../../src/server/index.ts';
import { openStore, STORE_FILE } from '../../src/server/store/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

const REPLAYED = 'invalid_exact_stellar_payload_authorization_replayed';

describe('A restarted service', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let payer: TestKey;
  let seller: TestKey;
  let dataFolder: string;
  const running: RunningFacilitator[] = [];
  const clock = hurriedClock(6_000);
  /** No ledger decides a transaction before the service stops waiting. */
  const undecided = (method: string) => {
    if (method !== 'getTransaction') return undefined;
    clock.skip(10_000);
    return () => ({ status: 'NOT_FOUND', latestLedger: 1 });
  };

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    await rpc.close();
    await local.close();
  });
  afterEach(async () => {
    rpc.heal();
    for (const one of running.splice(0)) await one.close();
    if (dataFolder !== undefined) rmSync(dataFolder, { recursive: true, force: true });
  });

  function newFolder(): void {
    dataFolder = mkdtempSync(join(tmpdir(), 'svc-restart-'));
  }
  async function start(): Promise<RunningFacilitator> {
    const one = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      dataFolder,
      rateLimitPerMinute: 0,
      clock,
    });
    running.push(one);
    return one;
  }
  async function restart(): Promise<RunningFacilitator> {
    await running.pop()?.close();
    return start();
  }
  const fresh = () => freshPayment(local, payer, seller);
  const received = async () => (await balancesOf(local, seller.address)).usdc;

  it('[spec: Facilitator codes/authorization_replayed] knows what was settled before', async () => {
    newFolder();
    const first = await start();
    const request = await fresh();
    assert.equal((await post(first.url, '/settle', request)).body.success, true);
    const second = await restart();
    // Not from the ledger: that is not asked.
    rpc.fault(() => 'reset');
    const verified = await post(second.url, '/verify', request);
    assert.equal(verified.body.invalidReason, REPLAYED);
    assert.equal((await post(second.url, '/settle', request)).body.errorReason, REPLAYED);
    rpc.heal();
  });

  it('settlement_pending: the identical request gets the outcome, once, and nothing is sent again', async () => {
    newFolder();
    const before = await received();
    const first = await start();
    const request = await fresh();
    rpc.fault(undecided);
    const pending = await post(first.url, '/settle', request);
    assert.equal(pending.body.errorReason, 'settlement_pending');
    const second = await restart();
    rpc.heal();
    const told = await post(second.url, '/settle', request);
    assert.equal(told.body.success, true);
    assert.equal(told.body.transaction, pending.body.transaction);
    assert.equal((await post(second.url, '/settle', request)).body.errorReason, REPLAYED);
    assert.equal((await received()) - before, 100_000n);
  });

  it('a settlement whose transaction was never sent is sent as recorded, under its one hash', async () => {
    newFolder();
    const before = await received();
    const first = await start();
    const request = await fresh();
    // The network seems to take it and does not; the service then ends before a ledger decides.
    rpc.fault((method) => {
      if (method === 'sendTransaction') {
        return { result: { status: 'PENDING', hash: '0'.repeat(64), latestLedger: 1 } };
      }
      return undecided(method);
    });
    const pending = await post(first.url, '/settle', request);
    assert.equal(pending.body.errorReason, 'settlement_pending');
    assert.equal(await received(), before);
    const second = await restart();
    rpc.heal();
    let told = await post(second.url, '/settle', request);
    while (told.body.errorReason === 'settlement_pending') {
      told = await post(second.url, '/settle', request);
    }
    assert.equal(told.body.success, true);
    assert.equal(told.body.transaction, pending.body.transaction);
    assert.equal((await received()) - before, 100_000n);
    const health = await (await fetch(`${second.url}/health`)).json();
    assert.equal((health as { channels: { free: number } }).channels.free, 50);
  });

  it('an authorization that was claimed but not signed for is available again', async () => {
    newFolder();
    const first = await start();
    const request = await fresh();
    await first.close();
    running.pop();
    const database = await openStore({ databaseUrl: null, dataFolder });
    const { openJournal } = await import('../../src/server/settlement/index.ts');
    const { prepareExact } = await import('../../src/server/facilitator/schemes/index.ts');
    const prepared = prepareExact(request, new Set());
    assert.ok(prepared.ok && prepared.value.authorization);
    const { key, expirationLedger } = prepared.value.authorization;
    await openJournal(database, systemClock).claim('an instance that ended', {
      id: 'an id',
      key,
      request,
      expirationLedger,
      worstFee: 500_000n,
    });
    await database.close();
    const second = await start();
    assert.equal((await post(second.url, '/settle', request)).body.success, true);
  });

  it('[spec: Health/catalogFrozen] on a damaged store serves, says so, and refuses to settle', async () => {
    newFolder();
    writeFileSync(join(dataFolder, STORE_FILE), 'not a database '.repeat(1_000));
    const before = await received();
    const service = await start();
    const health = await (await fetch(`${service.url}/health`)).json();
    assert.equal((health as { status: string }).status, 'ok');
    assert.equal((health as { catalogFrozen: boolean }).catalogFrozen, true);
    const refused = await post(service.url, '/settle', await fresh());
    assert.equal(refused.status, 503);
    assert.equal(refused.body.error, 'settlement_refused');
    assert.equal(refused.body.reason, 'store_unavailable');
    assert.equal(refused.body.transaction, '');
    const verified = await post(service.url, '/verify', await fresh());
    assert.equal(verified.body.isValid, false);
    assert.equal(await received(), before);
  });
});
