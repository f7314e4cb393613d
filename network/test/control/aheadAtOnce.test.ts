import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Asset, Operation, xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { NO_MOVES } from '../../src/close/index.ts';
import { writeSettings } from '../../src/close/upgrades/applyUpgrade.ts';
import { putEntry, putTtl } from '../../src/control/putEntry.ts';
import { advanceLedgers } from '../../src/control/timeMethods.ts';
import { type LedgerOptions, startLedger } from '../../src/index.ts';
import { type OpenNetwork, openNetwork } from '../../src/openNetwork.ts';
import { readSetting } from '../../src/settings/index.ts';
import { entryKeyId, ledgerKeyXdr } from '../../src/state/index.ts';
import { startScene } from '../network/scene.ts';
import { balanceOf, entriesOf } from './reading.ts';

/** Holds the time, and counts how often it is asked: every ledger that closes asks. */
class CountingClock {
  asked = 0;
  now(): number {
    this.asked += 1;
    return 1_700_000_000_000;
  }
  after(): () => void {
    return () => {};
  }
  soon(): () => void {
    return () => {};
  }
}

const MANUAL = { port: null, close: { kind: 'manual' }, seed: 'ahead' } as const;

/** An entry of a contract that expires so many ledgers ahead. */
interface Expiring {
  readonly within: number;
  readonly persistent: boolean;
}

/** How a network treats what expires, and notes how large its state is. */
interface Archival {
  readonly evicted: number;
  readonly noteEvery: number;
  readonly notes: number;
}

function contractEntry(at: number, { persistent }: Expiring): xdr.LedgerEntry {
  const { persistent: kept, temporary } = xdr.ContractDataDurability;
  const data = new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(Buffer.alloc(32, 7))),
    key: xdr.ScVal.scvU32(at),
    durability: persistent ? kept : temporary,
    val: xdr.ScVal.scvBytes(Buffer.alloc(1 + at)),
  });
  return new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 0,
    data: xdr.LedgerEntryData.contractData(data),
    ext: xdr.LedgerEntryExt.v0(),
  });
}

function prepare({ service }: OpenNetwork, entries: readonly Expiring[], archival: Archival): void {
  const { engine } = service;
  service.amendLedger((ltx) => {
    const { stateArchivalSettings: before } = readSetting(ltx, 'configSettingStateArchival');
    const setting = xdr.ConfigSettingEntry.configSettingStateArchival(
      new xdr.StateArchivalSettings({
        ...before,
        maxEntriesToArchive: archival.evicted,
        liveSorobanStateSizeWindowSamplePeriod: archival.noteEvery,
        liveSorobanStateSizeWindowSampleSize: archival.notes,
      }),
    );
    writeSettings(ltx, [setting], () => 0n);
    for (const [at, one] of entries.entries()) {
      const entry = contractEntry(at, one);
      putEntry(ltx, engine.networkId, entry);
      putTtl(ltx, entryKeyId(entry), ltx.header.ledgerSeq + one.within);
    }
    return NO_MOVES;
  });
}

/** All that ledgers leave behind, but for the hashes that name the ledgers before. */
function outcome({ service: { engine, history } }: OpenNetwork): unknown {
  const { state } = engine;
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const { ledgerSeq, scpValue, totalCoins, feePool, idPool, bucketListHash } = state.header;
  return {
    header: { ledgerSeq, closeTime: scpValue.closeTime, totalCoins, feePool, idPool },
    stateHash: hex(bucketListHash.value),
    live: [...state.entries()].map(({ id, xdr: bytes }) => [id, hex(bytes)]).sort(),
    archived: [...state.archivedEntries()].map(([id, entry]) => [id, entry.toXdr('base64')]),
    history: [history.oldestSequence, history.latestSequence],
    evicted: [...history.ledgers(0, history.latestSequence)].map(({ sequence, meta }) => [
      sequence,
      meta.evictedKeys.map((key) => key.toXdr('base64')),
    ]),
  };
}

/** Goes ahead as `svc_advanceLedgers` does. */
function goAhead({ service }: OpenNetwork, count: number): void {
  const last = service.history.latestSequence + count;
  while (service.history.latestSequence < last) {
    service.closeNextOf(last - service.history.latestSequence);
  }
}

describe('many ledgers ahead', () => {
  it('500,000 of them close a few hundred', async () => {
    const clock = new CountingClock();
    const ledger = await startLedger({ ...MANUAL, clock });
    try {
      const { sequence } = (await ledger.call('getLatestLedger')) as { sequence: number };
      const started = performance.now();
      clock.asked = 0;
      const closed = await ledger.control('svc_advanceLedgers', { count: 500_000 });
      console.log(`500,000 ledgers ahead: ${(performance.now() - started).toFixed(0)} ms`);
      assert.equal(closed.ledger, sequence + 500_000);
      assert.ok(clock.asked < 1_000, `the clock was asked ${clock.asked} times`);
    } finally {
      await ledger.close();
    }
  });

  it('leave the same state and history as closing each of them', async () => {
    const archival = fc.record({
      evicted: fc.integer({ min: 0, max: 4 }),
      noteEvery: fc.constantFrom(1, 3, 10, 64),
      notes: fc.integer({ min: 1, max: 12 }),
    });
    const expiring = fc.record({
      within: fc.integer({ min: 0, max: 420 }),
      persistent: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(expiring, { maxLength: 30 }),
        archival,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 400 }),
        async (entries, settings, retainedLedgers, count) => {
          const options: LedgerOptions = { ...MANUAL, clock: new CountingClock(), retainedLedgers };
          const one = await openNetwork(options);
          const other = await openNetwork(options);
          for (const network of [one, other]) prepare(network, entries, settings);
          assert.deepEqual(outcome(one), outcome(other));
          for (let closed = 0; closed < count; closed++) one.service.closeLedger();
          goAhead(other, count);
          assert.deepEqual(outcome(other), outcome(one));
          one.close();
          other.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  it('keep the full history if there are no more than it keeps', async () => {
    await using scene = await startScene({ close: { kind: 'manual' }, retainedLedgers: 200 });
    const alice = await scene.account();
    const { oldestLedger, latestLedger } = await scene.server.getHealth();
    await scene.ledger.control('svc_advanceLedgers', { count: 150 });
    const health = await scene.server.getHealth();
    assert.equal(health.oldestLedger, oldestLedger);
    assert.equal(health.latestLedger, latestLedger + 150);
    const { events } = await scene.server.getEvents({ startLedger: oldestLedger, filters: [] });
    assert.ok(events.length > 0);
    assert.equal((await scene.server.getAccount(alice.publicKey())).accountId(), alice.publicKey());
  });

  it('include waiting transactions before any is skipped', async () => {
    await using scene = await startScene({ close: { kind: 'manual' }, retainedLedgers: 10 });
    const [alice, bob] = [await scene.account(), await scene.account()];
    const before = await balanceOf(scene.ledger, bob.publicKey());
    const destination = bob.publicKey();
    const payment = Operation.payment({ destination, asset: Asset.native(), amount: '1' });
    const sent = await scene.server.sendTransaction(await scene.signed(alice, payment));
    assert.equal(sent.status, 'PENDING');
    await scene.ledger.control('svc_advanceLedgers', { count: 20_000 });
    assert.equal(await balanceOf(scene.ledger, destination), (before ?? 0n) + 10_000_000n);
  });

  it('can be requested by their numbers only if history has them', async () => {
    await using scene = await startScene({ close: { kind: 'manual' } });
    await scene.account();
    const { latestLedger: before } = await scene.server.getHealth();
    const horizon = async (path: string) => {
      const response = await fetch(`${scene.url}/${path}`);
      return { status: response.status, body: (await response.json()) as Page };
    };
    await horizon('payments');
    await scene.ledger.control('svc_advanceLedgers', { count: 500_000 });
    const { oldestLedger, latestLedger } = await scene.server.getHealth();
    assert.equal(latestLedger, before + 500_000);
    assert.ok(oldestLedger > before && oldestLedger < latestLedger);

    const range = `${oldestLedger} - ${latestLedger}`;
    await assert.rejects(
      scene.server.getEvents({ startLedger: before, filters: [] }),
      (error: { message: string }) => error.message.includes(range),
    );
    const skipped = { startLedger: oldestLedger - 1, pagination: { limit: 1 } };
    await assert.rejects(scene.server.getLedgers(skipped), (error: { message: string }) =>
      error.message.includes(String(oldestLedger)),
    );
    const all = { startLedger: oldestLedger, pagination: { limit: 200 } };
    const { ledgers } = await scene.server.getLedgers(all);
    assert.equal(ledgers.length, latestLedger - oldestLedger + 1);

    assert.equal((await horizon(`ledgers/${before}`)).status, 410);
    assert.equal((await horizon(`ledgers/${oldestLedger - 1}`)).status, 410);
    assert.equal((await horizon(`ledgers/${oldestLedger}`)).status, 200);
    assert.deepEqual((await horizon('payments')).body._embedded.records, []);
    assert.equal((await horizon('fee_stats')).status, 200);

    const bob = await scene.account();
    const { events } = await scene.server.getEvents({ startLedger: oldestLedger, filters: [] });
    assert.ok(events.length > 0 && events.every(({ ledger }) => ledger > latestLedger));
    const { records } = (await horizon(`accounts/${bob.publicKey()}/payments`)).body._embedded;
    assert.equal(records.length, 1);
    assert.equal((await horizon('payments?order=desc')).body._embedded.records.length, 1);
  });

  it('are kept after a restart, with the entries that expired in between', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'ahead-'));
    const options: LedgerOptions = { ...MANUAL, dataFolder, retainedLedgers: 300 };
    const key = (at: number, persistent: boolean): string => {
      const id = entryKeyId(contractEntry(at, { within: 0, persistent }));
      return Buffer.from(ledgerKeyXdr(id)).toString('base64');
    };
    try {
      const network = await openNetwork(options);
      const entries = [
        { within: 50, persistent: true },
        { within: 60, persistent: false },
        { within: 900_000, persistent: true },
      ];
      prepare(network, entries, { evicted: 100, noteEvery: 64, notes: 30 });
      goAhead(network, 500_000);
      network.service.closeLedger();
      const before = outcome(network);
      network.close();
      const again = await openNetwork(options);
      assert.deepEqual(outcome(again), before);
      goAhead(again, 500_000);
      again.close();
      const ledger = await startLedger(options);
      const found = await entriesOf(ledger, key(0, true), key(1, false), key(2, true));
      await ledger.close();
      // What is archived says so by a life that is over; what was temporary is gone.
      const lives = found.map(({ key, liveUntilLedgerSeq }) => [key, liveUntilLedgerSeq]);
      assert.deepEqual(lives, [
        [key(0, true), 0],
        [key(2, true), 0],
      ]);
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });

  it('never go beyond the range of ledger numbers', async () => {
    const network = await openNetwork(MANUAL);
    network.service.history.beginAt(3_999_999_991);
    await assert.rejects(advanceLedgers(network, { count: 11 }), /4000000000/);
    network.close();
  });
});

interface Page {
  readonly _embedded: { readonly records: readonly unknown[] };
}
