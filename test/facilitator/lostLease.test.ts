import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import type { InstanceOrders } from '../faults/instance.ts';
import {
  type PrivatePostgres,
  postgresMissing,
  startPrivatePostgres,
} from '../store/privatePostgres.ts';
import { startSwallower } from '../store/swallower.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

const INSTANCE = fileURLToPath(new URL('../faults/instance.ts', import.meta.url));
const TTL_MS = 2_000;
const AMOUNT = 100_000n;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One instance in a process of its own. */
interface Instance {
  readonly url: string;
  readonly child: ChildProcess;
}

describe('P1: an instance that cannot hold its lease', { skip: postgresMissing ?? false }, () => {
  let server: PrivatePostgres;
  let local: LocalNetwork;
  let payer: TestKey;
  let seller: TestKey;
  const children: ChildProcess[] = [];

  before(async () => {
    server = await startPrivatePostgres();
    local = await startLocalNetwork();
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(async () => {
    await local.close();
    await server.close();
  });

  async function start(databaseUrl: string): Promise<Instance> {
    const child = fork(INSTANCE, { execArgv: ['--import', 'tsx'] });
    children.push(child);
    const { rpcUrl, sponsorSecret } = facilitatorOptions(local);
    const orders: InstanceOrders = {
      rpcUrl,
      databaseUrl,
      dataFolder: null,
      sponsorSecret,
      channelSecrets: local.ledger.accounts.channels.map(({ secret }) => secret),
      instanceTtlMs: TTL_MS,
      killAt: null,
    };
    child.send(orders);
    const [told] = (await once(child, 'message')) as [{ url: string }];
    return { url: told.url, child };
  }
  const fresh = () => freshPayment(local, payer, seller);
  const received = async () => (await balancesOf(local, seller.address)).usdc;
  async function readiness({ url }: Instance): Promise<Readiness & { readonly http: number }> {
    const answer = await fetch(`${url}/ready`);
    return { ...((await answer.json()) as Readiness), http: answer.status };
  }
  async function until(one: Instance, http: number): Promise<Readiness> {
    for (let look = 0; look < 300; look++) {
      const found = await readiness(one);
      if (found.http === http) return found;
      await pause(100);
    }
    return assert.fail(`never ${http}`);
  }

  it('with a database that never answers: reports it, refuses work, works again, and ends on request', async () => {
    const proxy = await startSwallower(new URL(await server.createDatabase()));
    try {
      const one = await start(proxy.url);
      assert.equal((await post(one.url, '/settle', await fresh())).body.success, true);
      const before = await received();
      proxy.swallow(true);
      const { reasons } = await until(one, 503);
      assert.ok(
        reasons.every(({ code }) => code === 'lease_lost' || code === 'store_unavailable'),
        JSON.stringify(reasons),
      );
      const request = await fresh();
      const refused = await post(one.url, '/settle', request);
      assert.equal(refused.status, 503);
      assert.equal(refused.body.reason, 'store_unavailable');
      assert.equal(await received(), before);
      assert.equal((await fetch(`${one.url}/health`)).status, 200);

      proxy.swallow(false);
      await until(one, 200);
      assert.equal((await post(one.url, '/settle', request)).body.success, true);
      assert.equal((await received()) - before, AMOUNT);

      proxy.swallow(true);
      await until(one, 503);
      const asked = performance.now();
      one.child.send('end');
      await once(one.child, 'exit');
      assert.ok(performance.now() - asked < 15_000, 'it did not end when asked');
    } finally {
      proxy.close();
    }
  });

  it('stopped for longer than its lease: another returns the outcome, and it notices before it writes again', async () => {
    const url = await server.createDatabase();
    const [one, two] = [await start(url), await start(url)];
    const before = await received();
    const request = await fresh();
    await local.ledger.control('svc_setCloseMode', { mode: 'manual' });
    const waiting = post(one.url, '/settle', request);
    // Once nobody can present the payment again, it has submitted the transaction.
    for (let look = 0; look < 200; look++) {
      const { status } = await fetch(`${one.url}/metrics`);
      assert.equal(status, 200);
      const verified = await post(two.url, '/verify', request);
      if (verified.body.isValid === false) break;
      await pause(25);
    }
    await pause(500);
    one.child.kill('SIGSTOP');
    await pause(2 * TTL_MS);
    await local.ledger.control('svc_setCloseMode', { mode: 'demand' });
    let told = await post(two.url, '/settle', request);
    for (let look = 0; look < 100 && told.body.success !== true; look++) {
      assert.equal(told.body.extra?.moneyMoved === 'no', false);
      told = await post(two.url, '/settle', request);
    }
    assert.equal(told.body.success, true);

    one.child.kill('SIGCONT');
    const late = (await waiting).body;
    assert.notEqual(late.success, true, 'the outcome was returned twice');
    assert.equal(late.transaction, told.body.transaction);
    assert.notEqual(late.extra?.moneyMoved, 'no');
    assert.equal((await received()) - before, AMOUNT);

    // Under a new name it takes work again.
    await until(one, 200);
    assert.equal((await post(one.url, '/settle', await fresh())).body.success, true);
    assert.equal((await received()) - before, 2n * AMOUNT);
  });
});
