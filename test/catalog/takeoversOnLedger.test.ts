import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeHeaderMessage } from '../../src/protocol/index.ts';
import { discoveryListSchema, extensionResponsesSchema } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { openStore } from '../../src/server/store/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { catalogPayment } from '../support/catalogPayment.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

const RESOURCES = 8;
const ROUNDS = 4;

interface Settled {
  readonly url: string;
  readonly payTo: string;
  readonly payer: string;
  readonly cataloged: boolean;
}

describe('Real settlements with takeovers among them, and restarts of the facilitator in between', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'catalog-ledger-'));
  let local: LocalNetwork;
  let facilitator: RunningFacilitator;
  let payers: TestKey[] = [];
  let sellers: TestKey[] = [];
  const start = () => startFacilitator({ ...facilitatorOptions(local), dataFolder });

  before(async () => {
    local = await startLocalNetwork();
    facilitator = await start();
    const stack = { ...local, facilitator };
    payers = await Promise.all([openPayer(stack), openPayer(stack)]);
    sellers = await Promise.all([openSeller(stack), openSeller(stack), openSeller(stack)]);
  });
  after(async () => {
    await facilitator.close();
    await local.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  async function settle(url: string, payTo: TestKey, payer: TestKey): Promise<Settled> {
    const request = await freshPayment(local, payer, payTo);
    Object.assign(request.paymentPayload, catalogPayment({ url }).declared);
    const response = await fetch(`${facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const body = (await response.json()) as { success: boolean };
    assert.equal(body.success, true, JSON.stringify(body));
    const header = decodeHeaderMessage(response.headers.get('extension-responses') ?? '');
    const { bazaar } = extensionResponsesSchema.parse(header);
    return {
      url,
      payTo: payTo.address,
      payer: payer.address,
      cataloged: bazaar?.cataloged === true,
    };
  }
  const of = <T>(from: readonly T[], at: number): T => {
    const one = from[at % from.length];
    assert.ok(one !== undefined);
    return one;
  };

  it('[spec: Catalog entry/trust counts] [spec: Catalog ownership binding/Different payTo] trust counts equal what settled, and no binding moved', async () => {
    const settled: Settled[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const batch = Array.from({ length: RESOURCES }, (_, n) => {
        // From the second round on one in four is a takeover: the next seller is paid.
        const hostile = round > 0 && n % 4 === round % 4;
        const payer = of(payers, n + round);
        return settle(`https://seller.dev/r/${n}`, of(sellers, n + (hostile ? 1 : 0)), payer);
      });
      settled.push(...(await Promise.all(batch)));
      await facilitator.close();
      facilitator = await start();
    }
    const takeovers = settled.filter(({ cataloged }) => !cataloged);
    assert.equal(takeovers.length, (ROUNDS - 1) * (RESOURCES / 4));

    const answer = await fetch(`${facilitator.url}/discovery/resources`);
    const { items } = discoveryListSchema.parse(await answer.json());
    assert.equal(items.length, RESOURCES);
    for (const { resource, accepts, trust } of items) {
      const own = settled.filter(({ url, cataloged }) => url === resource && cataloged);
      const [first] = own;
      assert.ok(first);
      assert.equal(accepts[0]?.payTo, first.payTo);
      assert.equal(trust.settlements, own.length);
      assert.equal(trust.uniquePayers, new Set(own.map(({ payer }) => payer)).size);
      assert.equal(trust.statsSource, 'persisted');
    }

    await facilitator.close();
    const database = await openStore({ databaseUrl: null, dataFolder });
    const [journal] = await database.all<{ count: number }>(
      "SELECT COUNT(*) AS count FROM settlements WHERE state = 'settled'",
    );
    const [catalog] = await database.all<{ count: number }>(
      "SELECT COUNT(*) AS count FROM catalog_settlements WHERE outcome = 'cataloged'",
    );
    await database.close();
    assert.equal(journal?.count, settled.length);
    assert.equal(catalog?.count, settled.length - takeovers.length);
    facilitator = await start();
  });
});
