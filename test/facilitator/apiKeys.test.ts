import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseApiKeys } from '../../src/server/apiKeys.ts';
import { startFacilitator } from '../../src/server/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

const KEY = 'c3'.repeat(32);
const SMALL = 'd4'.repeat(32);
const POOR = 'e5'.repeat(32);
const { keys: apiKeys } = parseApiKeys(
  `shop ${KEY}\nsmall ${SMALL} requests=2\npoor ${POOR} fees=1000`,
  'API_KEYS',
);

interface Refused {
  readonly status: number;
  readonly body: {
    readonly success?: boolean;
    readonly reason?: string;
    readonly extra?: { readonly moneyMoved: string };
  };
}

describe('[finding: O8] A facilitator with API keys', () => {
  let network: LocalNetwork;
  let payer: TestKey;
  let seller: TestKey;
  const logged: string[] = [];
  let url = '';
  let close = async (): Promise<void> => undefined;

  before(async () => {
    network = await startLocalNetwork();
    payer = await openPayer(network);
    seller = await openSeller(network);
    const log = (fields: object, message: string) =>
      void logged.push(`${message} ${JSON.stringify(fields)}`);
    const facilitator = await startFacilitator({
      ...facilitatorOptions(network),
      rateLimitPerMinute: 1_000,
      apiKeys,
      logger: { debug: log, info: log, warn: log, error: log },
    });
    url = facilitator.url;
    close = () => facilitator.close();
  });
  after(async () => {
    await close();
    await network.close();
  });

  async function ask(path: string, key: string | undefined, body: object): Promise<Refused> {
    const headers = {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Refused['body'] };
  }

  const payment = () => freshPayment(network, payer, seller);

  it('verifies and settles for their holders only, and says nothing about the money of others', async () => {
    const request = await payment();
    for (const key of [undefined, 'f6'.repeat(32), 'short']) {
      for (const path of ['/verify', '/settle']) {
        const { status, body } = await ask(path, key, request);
        assert.deepEqual([status, body.reason], [401, 'api_key_required']);
        assert.equal(body.extra?.moneyMoved, 'unknown');
      }
    }
    assert.equal((await ask('/verify', KEY, request)).status, 200);
    const { status, body } = await ask('/settle', KEY, request);
    assert.deepEqual([status, body.success], [200, true], JSON.stringify(body));
  });

  it('leaves everything else open', async () => {
    for (const path of ['/supported', '/health', '/ready', '/discovery/resources']) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
  });

  it('counts the requests of each key, wherever they come from', async () => {
    const request = await payment();
    const statuses = [];
    for (let at = 0; at < 3; at += 1) {
      statuses.push((await ask('/verify', SMALL, request)).status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
    assert.equal((await ask('/verify', KEY, request)).status, 200);
  });

  it('refuses a settlement beyond the budget of its key, and settles it under another one', async () => {
    const request = await payment();
    const { status, body } = await ask('/settle', POOR, request);
    assert.deepEqual([status, body.reason], [429, 'api_key_budget_exhausted']);
    assert.equal(body.extra?.moneyMoved, 'not_yet');
    assert.equal((await ask('/settle', KEY, request)).body.success, true);
  });

  it('names keys in the log by their names, and never logs a key', () => {
    assert.ok(logged.some((line) => line.startsWith('settled ') && line.includes('"key":"shop"')));
    for (const key of [KEY, SMALL, POOR, 'f6'.repeat(32)]) {
      assert.ok(!logged.some((line) => line.includes(key)));
    }
  });
});
