/**
 * `npm run lab -- sdk [--short]`
 *
 * Packs the SDK, installs it in empty folders and buys from a seller on an embedded network, with the first example of its
 * README, on each runtime that is served for this system; then type-checks the examples under every module resolution, and
 * asks what others check packages with. Prints a table. --short: on this Node and in Chromium, without the registry.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromiumProgram } from '../support/chromium.ts';
import { bundle, inChromium } from './browser.ts';
import { packSdk, run, strangersFolder } from './folder.ts';
import { type Market, openMarket, PRICE } from './market.ts';
import { BOTH_WAYS, pageProgram } from './programs.ts';
import { rulers } from './rulers.ts';
import { buyWith, runtimes } from './runtimes.ts';
import { RESOLUTIONS, typeCheck } from './typings.ts';

/** Most bytes, compressed, of what a page gets that imports `createX402Fetch`. */
const MAX_OF_FETCH = 100_000;

type Result = 'passed' | 'skipped' | 'FAILED';
const rows: { readonly name: string; readonly result: Result; readonly words: string }[] = [];

/** Adds a row. What could not be tried is skipped, with the reason. */
async function row(name: string, check: () => Promise<string>): Promise<void> {
  try {
    add(name, 'passed', await check());
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (error instanceof Unavailable) add(name, 'skipped', words.split('\n')[0] ?? '');
    else add(name, 'FAILED', words);
  }
}

function add(name: string, result: Result, words: string): void {
  rows.push({ name, result, words });
  console.log(`${result.padEnd(8)} ${name.padEnd(28)} ${words}`);
}

class Unavailable extends Error {}

function unavailable(cause: unknown): never {
  throw new Unavailable(cause instanceof Error ? cause.message : String(cause));
}

/** One payment, which the ledger must show, and nothing else. */
async function bought(market: Market, buy: () => Promise<string>): Promise<string> {
  const before = await market.moved();
  const printed = await buy();
  assert.equal(printed.trim(), JSON.stringify({ status: 200, body: 'the goods' }));
  const after = await market.moved();
  assert.equal(after.received - before.received, PRICE, 'what the seller received');
  assert.equal(after.spent - before.spent, PRICE, 'what the payer spent');
  return 'paid 0.01 USDC';
}

async function main(short: boolean): Promise<void> {
  const packing = mkdtempSync(join(tmpdir(), 'svc-x402-sdk-packed-'));
  process.once('exit', () => rmSync(packing, { recursive: true, force: true }));
  const packed = await packSdk(packing);
  const folder = await strangersFolder(packed);
  console.log(`packed: ${statSync(packed).size} bytes`);
  const market = await openMarket();
  try {
    for (const runtime of runtimes(short)) {
      await row(runtime.name, async () => {
        const command = await runtime.command().catch(unavailable);
        return bought(market, () => buyWith(runtime, command, folder, market.purchase));
      });
    }
    const page = await bundle(folder, pageProgram(market.purchase));
    await row('a page in Chromium', async () => {
      const program = chromiumProgram() ?? unavailable('there is no Chromium here');
      return bought(market, () => inChromium(program, page));
    });
  } finally {
    await market.close();
  }
  await row('the path of fetch', async () => {
    const only = await bundle(folder, "export { createX402Fetch } from 'svc-x402-sdk';");
    const size = gzipSync(only, { level: 9 }).length;
    assert.ok(size < MAX_OF_FETCH, `${size} bytes`);
    return `${size} bytes, bundled and compressed`;
  });
  await row('import and require together', async () => {
    writeFileSync(join(folder, 'both.mjs'), BOTH_WAYS);
    const told = JSON.parse(await run(process.execPath, ['both.mjs'], folder)) as unknown;
    assert.deepEqual(told, { differ: [], count: (told as { count: number }).count });
    return 'one set of classes';
  });
  for (const resolution of Object.keys(RESOLUTIONS)) {
    await row(`types, ${resolution}`, async () => {
      assert.deepEqual(typeCheck(folder, resolution), []);
      return 'the examples compile, a mistake does not';
    });
  }
  if (short) return;
  const judges = await rulers().catch((error: Error) => {
    add('outside rulers', 'skipped', error.message.split('\n')[0] ?? '');
    return {};
  });
  for (const [name, judge] of Object.entries(judges)) {
    await row(name, async () => {
      await judge(packed);
      return 'no complaint';
    });
  }
}

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
await main(values.short);
const count = (result: Result) => rows.filter((one) => one.result === result).length;
console.log('\n| Where | Result | |\n|---|---|---|');
for (const { name, result, words } of rows) {
  console.log(`| ${name} | ${result} | ${words.split('\n')[0]?.slice(0, 120)} |`);
}
console.log(`\n${count('skipped')} skipped`);
console.log(`${count('passed')} passed, ${count('FAILED')} failed`);
process.exit(count('FAILED') === 0 ? 0 : 1);
