import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SettlementHash } from '../../src/protocol/index.ts';
import type { Catalog } from '../../src/server/catalog/index.ts';
import { openStore } from '../../src/server/store/index.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { catalogPayment, hashOf } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';
import { testClock } from '../support/testClock.ts';

const SETTLEMENTS = 10_000;
const RESOURCES = 1_000;
const SELLERS = 100;
const RESTARTS = 10;

/** A settlement as a journal has it: who paid whom for what. */
interface Journaled {
  readonly hash: SettlementHash;
  readonly resource: number;
  readonly payTo: string;
  readonly payer: string;
  readonly hostile: boolean;
}

/** Numbers that look random and are the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sellerOf = (resource: number): string => testKey(`seller ${resource % SELLERS}`).address;
const urlOf = (resource: number): string => `https://s${resource % SELLERS}.dev/r/${resource}`;
const HOSTILE = Array.from({ length: 20 }, (_, n) => testKey(`hostile ${n}`).address);

/** 10,000 settlements: each resource is first paid to its seller, then 5 % of them are takeovers. */
function journal(): Journaled[] {
  const random = randomNumbers(402);
  return Array.from({ length: SETTLEMENTS }, (_, n) => {
    const resource = n < RESOURCES ? n : random(RESOURCES);
    const hostile = n >= RESOURCES && random(100) < (5 * SETTLEMENTS) / (SETTLEMENTS - RESOURCES);
    const payTo = hostile ? (HOSTILE[random(HOSTILE.length)] ?? '') : sellerOf(resource);
    return {
      hash: hashOf(`journal ${n}`),
      resource,
      payTo,
      payer: `payer ${random(300)}`,
      hostile,
    };
  });
}

/** The same URL as a payer might write it. */
function respelt(url: string, n: number): string {
  const spellings = [
    url,
    `${url}/`,
    url.replace('https', 'HTTPS'),
    `${url}?q=${n}`,
    url.replace('/r/', '//r/./'),
  ];
  return spellings[n % spellings.length] ?? url;
}

async function settle(
  catalog: Catalog,
  { payTo, payer, hash, resource }: Journaled,
  n: number,
): Promise<string> {
  const { bazaar } = await catalog.take(
    catalogPayment({ payTo, payer, hash, url: respelt(urlOf(resource), n) }),
  );
  return bazaar?.status === 'rejected' ? bazaar.reason : 'cataloged';
}

describe('10,000 settlements of 1,000 resources by 100 sellers, 5 % of them hostile takeovers, with restarts in between', () => {
  it("[spec: Catalog entry/trust counts] [spec: Catalog ownership binding/Different payTo] trust counts equal the journal's, and no binding moved", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    const entries = journal();
    const hostile = entries.filter((entry) => entry.hostile).length;
    assert.ok(hostile > 400 && hostile < 600, `${hostile} takeovers`);
    const clock = testClock(Date.UTC(2026, 10, 21));
    const open = async (): Promise<TestCatalog> =>
      openTestCatalog({
        database: await openStore({ databaseUrl: null, dataFolder: folder }),
        clock,
      });
    try {
      let at = await open();
      const share = SETTLEMENTS / RESTARTS;
      for (let part = 0; part < RESTARTS; part++) {
        const from = part * share;
        for (let n = from; n < from + share; n += 20) {
          const batch = entries.slice(n, n + 20);
          const answers = await Promise.all(
            batch.map((entry, i) => settle(at.catalog, entry, n + i)),
          );
          batch.forEach((entry, i) => {
            assert.equal(answers[i], entry.hostile ? 'binding_refused' : 'cataloged');
          });
          clock.advance(1_000);
        }
        await at.close();
        at = await open();
        // After a crash the hook gets every settlement again that may not have been written down.
        for (const [i, entry] of entries.slice(from + share - 50, from + share).entries()) {
          assert.equal(
            await settle(at.catalog, entry, i),
            entry.hostile ? 'binding_refused' : 'cataloged',
          );
        }
      }

      const expected = new Map<
        string,
        { payTo: string; settlements: number; payers: Set<string> }
      >();
      for (const { resource, payTo, payer, hostile: taken } of entries) {
        if (taken) continue;
        const url = urlOf(resource);
        const counts = expected.get(url) ?? { payTo, settlements: 0, payers: new Set() };
        expected.set(url, {
          ...counts,
          settlements: counts.settlements + 1,
          payers: counts.payers.add(payer),
        });
      }
      let listed = 0;
      for (let offset = 0; ; offset += 100) {
        const { entries: page, total } = await at.catalog.list(
          {},
          { limit: 100, offset, order: 'oldest' },
        );
        assert.equal(total, RESOURCES);
        for (const { listing, payTo, trust } of page) {
          const counts = expected.get(listing.resource);
          assert.ok(counts, listing.resource);
          assert.equal(payTo, counts.payTo);
          assert.equal(trust.settlements, counts.settlements);
          assert.equal(trust.uniquePayers, counts.payers.size);
          assert.equal(trust.statsSource, 'persisted');
          listed += 1;
        }
        if (page.length === 0) break;
      }
      assert.equal(listed, RESOURCES);
      await at.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
