import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type LedgerOptions, startLedger } from '../../network/src/index.ts';
import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  NETWORK_RESET_WORDS,
} from '../../src/protocol/index.ts';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import { accountSigner, createX402Fetch, X402Error } from '../../src/sdk/index.ts';
import {
  createChannels,
  deriveChannelSecrets,
  type Logger,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import { openStore } from '../../src/server/store/index.ts';
import { postgresMissing, startPrivatePostgres } from '../store/privatePostgres.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { discoverable } from '../support/discoverable.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { post } from '../support/post.ts';

const RESOURCE = 'https://api.seller.dev/rehearsal';
const CLOSE = { kind: 'interval', milliseconds: 1_000 } as const;

interface Listed {
  readonly resources?: readonly unknown[];
  readonly items?: readonly unknown[];
}

/** One line of the log. */
interface Line {
  readonly level: keyof Logger;
  readonly message: string;
}

describe('The test network starts again under a running service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-reset-'));
  const log: Line[] = [];
  const lines = (level: keyof Logger) => log.filter((line) => line.level === level);
  const write = (level: keyof Logger) => (_: object, message: string) => {
    log.push({ level, message });
  };
  const logger: Logger = {
    ...{ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  };
  const secrets = {
    sponsorSecret: testKey('sponsor of the rehearsal').secret,
    channels: { secrets: deriveChannelSecrets('channels of the rehearsal') },
  };
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;

  const begin = (options: LedgerOptions) =>
    startLocalNetwork({ close: CLOSE, busyPort: 'refuse', ...options });
  const submissions = () => rpc.calls.filter((method) => method === 'sendTransaction').length;
  const readiness = async (): Promise<Readiness> =>
    (await (await fetch(`${facilitator.url}/ready`)).json()) as Readiness;
  const listed = async (): Promise<number> => {
    const answer = await fetch(`${facilitator.url}/discovery/resources?limit=10`);
    const { items, resources } = (await answer.json()) as Listed;
    return (items ?? resources ?? []).length;
  };

  before(async () => {
    local = await begin({ port: 0 });
    rpc = await startFaultyRpc(local.rpcUrl);
    await openAccount(local, 'sponsor of the rehearsal');
    await createChannels({ rpcUrl: local.rpcUrl, ...secrets });
    facilitator = await startFacilitator({
      ...secrets,
      rpcUrl: rpc.url,
      port: 0,
      dataFolder: folder,
      rateLimitPerMinute: 0,
      logger,
    });
    [payer, seller] = await Promise.all([openPayer(local), openSeller(local)]);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
    rmSync(folder, { recursive: true });
  });

  /** Buys with the SDK from a seller that settles here. */
  async function buy(): Promise<Response> {
    const terms = {
      ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC, amount: '100000' },
      ...{ payTo: seller.address, maxTimeoutSeconds: 60, extra: { areFeesSponsored: true } },
    };
    const pay = createX402Fetch({
      signer: accountSigner(payer.address, payer.sign),
      rpcUrl: local.rpcUrl,
      allowedAssets: [USDC],
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (!request.url.startsWith(RESOURCE)) return fetch(request);
        const header = request.headers.get('PAYMENT-SIGNATURE');
        if (header === null) {
          const required = encodeHeaderMessage({ x402Version: 2, accepts: [terms] });
          return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
        }
        const paymentPayload = decodeHeaderMessage(header);
        const body = { x402Version: 2, paymentPayload, paymentRequirements: terms };
        const { body: settled } = await post(facilitator.url, '/settle', body);
        return new Response(settled.errorMessage ?? 'goods', {
          status: settled.success === true ? 200 : 402,
          headers: { 'PAYMENT-RESPONSE': encodeHeaderMessage(settled) },
        });
      },
    });
    return pay(RESOURCE);
  }

  it('is noticed, said in the same words everywhere, and survived', async () => {
    // Before: a listing, a purchase, and a payment that is under way.
    const sale = discoverable(await freshPayment(local, payer, seller), RESOURCE);
    const sold = await post(facilitator.url, '/settle', sale);
    assert.equal(sold.body.success, true, sold.body.errorMessage);
    assert.equal(await listed(), 1);
    assert.equal(await (await buy()).text(), 'goods');
    const underWay = await freshPayment(local, payer, seller);
    const before = submissions();
    const answered = post(facilitator.url, '/settle', underWay);
    while (submissions() === before) await pause(5);

    // The network ends, and starts again at the same place.
    const { port } = new URL(local.rpcUrl);
    await local.close();
    const calls = rpc.calls.length;
    local = await begin({ port: Number(port) });
    const begun = performance.now();
    const said = new Set<string>();
    for (let codes = ''; ; ) {
      const { reasons, status } = await readiness();
      codes = reasons.map(({ code }) => code).join();
      for (const { message } of reasons) said.add(message);
      if (status === 'ready' && said.size > 0) break;
      assert.ok(performance.now() - begun < 45_000, `still ${codes}: ${[...said].join(' ')}`);
      await pause(50);
    }
    const took = (performance.now() - begun) / 1_000;
    assert.ok([...said].some((message) => message.includes(NETWORK_RESET_WORDS)));
    assert.ok(lines('error').some(({ message }) => message.includes(NETWORK_RESET_WORDS)));
    assert.ok(lines('warn').some(({ message }) => message.includes('friendbot funded')));
    const perSecond = (rpc.calls.length - calls) / took;
    assert.ok(perSecond < 60, `${perSecond} calls a second meanwhile`);

    // The payment under way ends with what is known of it, and says so again.
    const first = (await answered).body;
    assert.notEqual(first.success, true);
    assert.equal(first.extra?.moneyMoved, 'unknown');
    const again = (await post(facilitator.url, '/settle', underWay)).body;
    assert.equal(again.reason, 'network_reset', again.errorMessage);
    assert.ok(again.errorMessage?.includes(NETWORK_RESET_WORDS));

    // The catalog of the old network is kept apart, and its buyer has nothing on the new one.
    assert.equal(await listed(), 0);
    const refused = await buy().then(
      (response) => response.status,
      (error: unknown) => error,
    );
    assert.ok(refused === 402 || refused instanceof X402Error, String(refused));

    // After: new accounts buy again, and are listed again.
    [payer, seller] = await Promise.all([openPayer(local), openSeller(local)]);
    assert.equal(await (await buy()).text(), 'goods');
    const next = discoverable(await freshPayment(local, payer, seller), RESOURCE);
    assert.equal((await post(facilitator.url, '/settle', next)).body.success, true);
    assert.equal(await listed(), 1);
    assert.deepEqual((await readiness()).reasons, []);
  });
});

describe('A reset under three instances that share a store', {
  skip: postgresMissing ?? false,
}, () => {
  it('is recorded once, all of them serve the new network, and a drained one stays drained', async () => {
    const secrets = {
      sponsorSecret: testKey('sponsor of a shared rehearsal').secret,
      channels: { secrets: deriveChannelSecrets('channels of a shared rehearsal') },
    };
    const operatorToken = 'token of the operator of a shared rehearsal';
    const lines: string[] = [];
    const note = (_: object, message: string) => void lines.push(message);
    const logger: Logger = { debug: note, info: note, warn: note, error: note };
    const postgres = await startPrivatePostgres();
    const databaseUrl = await postgres.createDatabase();
    let local = await startLocalNetwork({ close: CLOSE, busyPort: 'refuse', port: 0 });
    const { port } = new URL(local.rpcUrl);
    await openAccount(local, 'sponsor of a shared rehearsal');
    await createChannels({ rpcUrl: local.rpcUrl, ...secrets });
    const instances: RunningFacilitator[] = [];
    for (let n = 0; n < 3; n++) {
      const shared = { databaseUrl, operatorToken, rpcUrl: local.rpcUrl, port: 0, logger };
      instances.push(await startFacilitator({ ...secrets, ...shared, rateLimitPerMinute: 0 }));
    }
    const codes = async ({ url }: RunningFacilitator): Promise<string> => {
      const { reasons } = (await (await fetch(`${url}/ready`)).json()) as Readiness;
      return reasons.map(({ code }) => code).join();
    };
    const all = async (): Promise<string> => (await Promise.all(instances.map(codes))).join(' ');
    const pay = async ({ url }: RunningFacilitator): Promise<void> => {
      const [payer, seller] = await Promise.all([openPayer(local), openSeller(local)]);
      const sale = discoverable(await freshPayment(local, payer, seller), RESOURCE);
      const { body } = await post(url, '/settle', sale);
      assert.equal(body.success, true, body.errorMessage);
    };
    const [first, , third] = instances;
    assert.ok(first !== undefined && third !== undefined);
    try {
      await pay(first);
      const drain = (query = '') =>
        fetch(`${third.url}/operator/drain${query}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${operatorToken}` },
        });
      assert.equal((await drain()).status, 200);
      assert.equal(await all(), '  draining');

      await local.close();
      local = await startLocalNetwork({ close: CLOSE, busyPort: 'refuse', port: Number(port) });
      const begun = performance.now();
      const seen = new Set<string>();
      while (
        ![...seen].some((one) => one.includes('network_reset')) ||
        (await all()) !== '  draining'
      ) {
        seen.add(await all());
        assert.ok(performance.now() - begun < 60_000, [...seen].join('; '));
        await pause(100);
      }
      const listing = await fetch(`${first.url}/discovery/resources?limit=10`);
      const { items = [] } = (await listing.json()) as Listed;
      assert.equal(items.length, 0, 'the listing of the old network is kept apart');
      for (const instance of instances) await pay(instance);
      const database = await openStore({ databaseUrl, dataFolder: null });
      try {
        const networks = await database.all<{ id: number }>('SELECT id FROM networks ORDER BY id');
        assert.deepEqual(
          networks.map(({ id }) => Number(id)),
          [1, 2],
        );
      } finally {
        await database.close();
      }
      assert.equal((await drain('?resume')).status, 200);
      assert.equal(await all(), '  ');
    } finally {
      await Promise.all(instances.map((one) => one.close()));
      await local.close();
      await postgres.close();
    }
  });
});

describe('A reset while the service was down', () => {
  it('is recognized at the next start, and the commands are printed where friendbot may not be asked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-reset-'));
    const seed = 'a network that ends';
    const secrets = {
      sponsorSecret: testKey('sponsor of a quiet rehearsal').secret,
      channels: { secrets: deriveChannelSecrets('channels of a quiet rehearsal') },
    };
    const old = await startLedger({ port: 0, seed });
    const url = old.urls?.rpc ?? '';
    const port = Number(new URL(url).port);
    await fetch(`${old.urls?.friendbot}?addr=${testKey('sponsor of a quiet rehearsal').address}`);
    await createChannels({ rpcUrl: url, ...secrets });
    const options = { ...secrets, rpcUrl: url, port: 0, dataFolder: folder };
    await (await startFacilitator(options)).close();
    await old.close();
    const next = await startLedger({ port, busyPort: 'refuse', seed: 'another' });
    try {
      const waiting = await startFacilitator({ ...options, refundsAfterReset: false });
      const ready = await fetch(`${waiting.url}/ready`);
      const { reasons } = (await ready.json()) as Readiness;
      assert.equal(reasons[0]?.code, 'network_reset');
      assert.ok(reasons[0]?.message.startsWith(NETWORK_RESET_WORDS));
      assert.match(reasons[0]?.message ?? '', /curl '.*addr=G\w{55}'.*create-channels$/);
      await fetch(
        `${next.urls?.friendbot}?addr=${testKey('sponsor of a quiet rehearsal').address}`,
      );
      await createChannels({ rpcUrl: url, ...secrets });
      await waiting.opened;
      assert.equal((await fetch(`${waiting.url}/ready`)).status, 200);
      await waiting.close();
    } finally {
      await next.close();
      rmSync(folder, { recursive: true });
    }
  });
});
