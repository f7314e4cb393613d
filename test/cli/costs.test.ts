import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { type CostReport, flameGraph } from '../../network/src/index.ts';
import { startScene } from '../../network/test/network/scene.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const path = (name: string): string => join(folder.path, name);

/** Funds a contract by a call of the asset's contract, and returns the report of it. */
async function reported(file: string): Promise<CostReport> {
  await using scene = await startScene({ costReport: file });
  const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
  const funded = await fetch(`${scene.url}/friendbot?addr=${contract}`);
  const { hash } = (await funded.json()) as { hash: string };
  const trace = await scene.ledger.control('svc_traceTransaction', { hash });
  const [call] = trace.steps;
  assert.equal(call?.kind, 'call');
  assert.ok(call.cpuInstructions !== null && call.cpuInstructions > 10_000);
  assert.ok(trace.cpuInstructions !== null && trace.cpuInstructions > call.cpuInstructions);
  assert.match(trace.text, /\[[\d,]+ CPU, [\d,]+ B\] XLM/);
  const svg = flameGraph(`<${hash}>`, trace) ?? '';
  assert.match(svg, /XLM\.transfer: [\d,]+ CPU instructions \(\d+\.\d %\)/);
  assert.match(svg, /^<svg [^<]*&lt;/);
  await scene[Symbol.asyncDispose]();
  return JSON.parse(readFileSync(file, 'utf8')) as CostReport;
}

async function compare(...args: string[]): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await new CliProcess(['compare-costs', ...args]).ended;
  return [code, stdout + stderr];
}

describe('cost reports', () => {
  it('have the cost of each function’s calls, the same in each run', async () => {
    const first = await reported(path('first.json'));
    const [transfer] = first.functions;
    assert.equal(first.version, 1);
    assert.equal(first.transactions, 1);
    assert.equal(transfer?.contract, 'XLM');
    assert.equal(transfer.function, 'transfer');
    assert.equal(transfer.calls, 1);
    assert.equal(transfer.failed, 0);
    assert.deepEqual(await reported(path('second.json')), first);
  });

  it('are compared; a cost that rose by more than the threshold ends with status 1', async () => {
    const [before, after] = [path('first.json'), path('more.json')];
    assert.deepEqual(await compare(before, path('second.json')), [0, 'No cost changed.\n']);
    const report = JSON.parse(readFileSync(before, 'utf8')) as CostReport;
    const functions = report.functions.map((one) => {
      const mean = Math.round(one.cpuInstructions.mean * 1.1);
      return { ...one, cpuInstructions: { ...one.cpuInstructions, mean } };
    });
    writeFileSync(after, JSON.stringify({ ...report, functions }));
    const [code, text] = await compare(before, after);
    assert.equal(code, 1);
    assert.match(text, /XLM\.transfer .*CPU instructions \(\+10\.0 %\) {2}over/);
    assert.match(text, /1 cost rose by more than 5 %\./);
    assert.equal((await compare(before, after, '--threshold', '11'))[0], 0);
    assert.equal((await compare(after, before))[0], 0);
  });

  it('of another form are refused with status 2', async () => {
    writeFileSync(path('other.json'), '{"version":2}');
    for (const file of ['other.json', 'none.json']) {
      const [code, text] = await compare(path('first.json'), path(file));
      assert.equal(code, 2);
      assert.match(text, /is not a cost report|cannot be read \(ENOENT\)/);
    }
  });
});
