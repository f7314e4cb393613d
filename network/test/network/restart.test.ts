import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk';
import { PersistenceError, startLedger } from '../../src/index.ts';
import { hashOf, type Scene, startScene } from './scene.ts';

/** Every file of a folder, by name. */
function contents(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
}

describe('a network in a data folder', () => {
  let dataFolder: string;

  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'restart-'));
  });
  afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

  const start = (): Promise<Scene> =>
    startScene({ dataFolder, seed: 'restart', close: { kind: 'manual' } });
  const refused =
    (code: string) =>
    (error: unknown): boolean =>
      error instanceof PersistenceError && error.code === code;

  it('continues where it stopped: ledgers, transactions by hash, events and balances', async () => {
    const first = await start();
    const alice = await first.account();
    await first.buyUsdc(alice, '3');
    const { sequence, id } = await first.server.getLatestLedger();
    const events = await first.server.getEvents({ startLedger: 2, filters: [] });
    const payment = Operation.payment({
      destination: first.ledger.accounts.sponsor.address,
      asset: Asset.native(),
      amount: '1',
    });
    const next = await first.signed(alice, payment);
    await first[Symbol.asyncDispose]();

    await using second = await start();
    const latest = await second.server.getLatestLedger();
    assert.deepEqual({ sequence: latest.sequence, id: latest.id }, { sequence, id });
    const again = await second.server.getEvents({ startLedger: 2, filters: [] });
    assert.deepEqual(
      again.events.map(({ id }) => id),
      events.events.map(({ id }) => id),
    );
    const last = events.events.at(-1)?.txHash ?? '';
    assert.equal((await second.server.getTransaction(last)).status, 'SUCCESS');
    const { balanceEntry } = await second.server.getAssetBalance(alice.publicKey(), second.usdc);
    assert.equal(balanceEntry?.amount, '30000000');
    // A transaction signed before the restart is still valid after it.
    await second.submit(next);
    assert.equal((await second.server.getTransaction(hashOf(next))).status, 'SUCCESS');
  });

  it('keeps its accounts at each start, even without a seed', async () => {
    const first = await startLedger({ dataFolder, port: null });
    const { accounts } = first;
    await first.close();
    const second = await startLedger({ dataFolder, port: null });
    assert.deepEqual(second.accounts, accounts);
    await second.close();
  });

  it('belongs to one network at a time', async () => {
    const first = await startLedger({ dataFolder, port: null });
    await assert.rejects(startLedger({ dataFolder, port: null }), refused('FOLDER_IN_USE'));
    await first.close();
    await (await startLedger({ dataFolder, port: null })).close();
  });

  it('is refused for another passphrase or seed', async () => {
    await (await startLedger({ dataFolder, port: null, seed: 'one' })).close();
    const other = { dataFolder, port: null };
    await assert.rejects(startLedger({ ...other, seed: 'two' }), refused('OTHER_NETWORK'));
    await assert.rejects(startLedger({ ...other, passphrase: 'x' }), refused('OTHER_NETWORK'));
    await (await startLedger({ ...other, seed: 'one' })).close();
  });

  it('of a newer version is refused with a message, and nothing is written to it', async () => {
    await (await startLedger({ dataFolder, port: null })).close();
    const folder = join(dataFolder, 'ledger');
    const path = join(folder, 'network.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"layout": 1', '"layout": 2'));
    const before = contents(folder);
    await assert.rejects(startLedger({ dataFolder, port: null }), {
      code: 'OTHER_NETWORK',
      message: `A newer version of Svc x402 wrote ${path}. Run that version, or choose another data folder with --data-dir.`,
    });
    assert.deepEqual(contents(folder), before);

    writeFileSync(path, text);
    await (await startLedger({ dataFolder, port: null })).close();
  });

  it('that lost the file that identifies it is refused, and nothing is written to it', async () => {
    await (await startLedger({ dataFolder, port: null })).close();
    const folder = join(dataFolder, 'ledger');
    const path = join(folder, 'network.json');
    const text = readFileSync(path, 'utf8');
    for (const lose of [() => rmSync(path), () => writeFileSync(path, '')]) {
      lose();
      const before = contents(folder);
      await assert.rejects(startLedger({ dataFolder, port: null }), refused('DAMAGED'));
      assert.deepEqual(contents(folder), before);
    }
    writeFileSync(path, text);
    await (await startLedger({ dataFolder, port: null })).close();
  });

  it('starts from a snapshot and the ledgers after it, and refuses if they do not match', async () => {
    const first = await start();
    const alice = await first.account();
    await first[Symbol.asyncDispose]();
    const folder = join(dataFolder, 'ledger');
    const journal = readdirSync(folder).filter((name) => name.startsWith('ledgers-'));
    const path = join(folder, journal.at(-1) ?? '');
    const bytes = readFileSync(path);

    // One bit of a balance, where the last ledger says what it became.
    const balance = Buffer.alloc(8);
    balance.writeBigInt64BE(100_000_000_000n);
    const at = bytes.lastIndexOf(Buffer.concat([alice.rawPublicKey(), balance])) + 32 + 7;
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(path, damaged);
    await assert.rejects(startLedger({ dataFolder, port: null }), refused('DAMAGED'));

    writeFileSync(path, bytes);
    await (await start())[Symbol.asyncDispose]();
  });

  it('deletes ledgers that are older than the configured limit', async () => {
    await using scene = await startScene({
      dataFolder,
      close: { kind: 'manual' },
      retainedLedgers: 5,
    });
    const alice = await scene.account();
    const transaction = await scene.signed(alice, Operation.bumpSequence({ bumpTo: '0' }));
    await scene.submit(transaction);
    for (let closed = 0; closed < 5; closed++) scene.ledger.closeLedger();
    const health = await scene.server.getHealth();
    assert.equal(health.oldestLedger, health.latestLedger - 4);
    assert.equal(health.ledgerRetentionWindow, 5);
    assert.equal((await scene.server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
  });
});
