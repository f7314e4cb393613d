import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { type SoakAccount, violationsOf } from './account.ts';
import { latencyOf, OK, Recorder } from './recorder.ts';

const clean: SoakAccount = {
  purchases: 10,
  authorizations: 11,
  settledOnLedger: 9,
  answeredSettled: 9,
  countedInCatalog: 9,
  gaveUp: { 'signed too often': 1 },
  replaysToldAgain: 1,
  lost: 0,
  double: 0,
  phantom: 0,
  unasked: 0,
  leakedChannels: 0,
  unfinishedInJournal: 0,
  reserved: '0',
  wrongBalances: 0,
  coinsMissing: '0',
  broken: [],
};

describe('The balance of a soak test', () => {
  it('is correct if buyers, ledger and catalog agree', () => {
    assert.deepEqual(violationsOf(clean), []);
  });

  const wrong: readonly Partial<SoakAccount>[] = [
    { lost: 1 },
    { double: 1 },
    { phantom: 1 },
    { unasked: 1 },
    { leakedChannels: 1 },
    { unfinishedInJournal: 1 },
    { wrongBalances: 1 },
    { reserved: '1' },
    { coinsMissing: '-1' },
    { settledOnLedger: 10 },
    { answeredSettled: 8 },
    { countedInCatalog: 8 },
    { settledOnLedger: 0, answeredSettled: 0, countedInCatalog: 0 },
    { broken: ['i0 ended by itself'] },
  ];
  for (const change of wrong) {
    it(`is violated by ${JSON.stringify(change)}`, () => {
      assert.notDeepEqual(violationsOf({ ...clean, ...change }), []);
    });
  }
});

describe('The recorder of a soak test', () => {
  it('reports the median and the worst of a hundred', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.deepEqual(latencyOf(hundred), { count: 100, p50: 51, p99: 100 });
  });

  it('records how requests ended, including those without a response', async () => {
    const recorder = new Recorder();
    await recorder.time(
      'read',
      async () => 1,
      () => OK,
    );
    await recorder.time(
      'read',
      () => Promise.reject(new Error('gone')),
      () => OK,
    );
    assert.deepEqual(recorder.codes, { read: { ok: 1, 'no answer': 1 } });
    assert.equal(recorder.between(0, recorder.seconds)['read']?.count, 2);
    assert.deepEqual(recorder.between(10, 20), {});
  });
});

describe('The clock of an instance in a soak test', { skip: process.platform === 'win32' }, () => {
  it('is stepped while the instance runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-clock-'));
    const file = join(folder, 'clock');
    writeFileSync(file, '-60000');
    const module = new URL('../helpers/facilitators/clockStep.mjs', import.meta.url).href;
    const program = `
      const tell = () => console.log(Date.now(), new Date().getTime(), new Date(5).getTime());
      tell();
      process.on('SIGUSR2', () => { tell(); process.exit(); });
      setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, [`--import=${module}`, '-e', program], {
      env: { ...process.env, CLOCK_STEP_FILE: file },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const offs: number[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const [now = 0, made = 0, given] = line.split(' ').map(Number);
      assert.ok(Math.abs(made - now) < 1_000);
      assert.equal(given, 5);
      offs.push(Math.round((now - Date.now()) / 10_000));
      if (offs.length > 1) continue;
      writeFileSync(file, '120000');
      child.kill('SIGUSR2');
    }
    assert.deepEqual(offs, [-6, 12]);
    rmSync(folder, { recursive: true, force: true });
  });
});
