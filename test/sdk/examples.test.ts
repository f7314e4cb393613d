import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packSdk, projectRoot, strangersFolder } from '../sdk-package/folder.ts';
import { balancesOf } from '../support/accounts.ts';
import { CONTEXTS, type Context, type Market, openMarket } from './examples/contexts.ts';
import { type Documented, type Example, readExamples } from './examples/readExamples.ts';
import { assertPrinted, run, typeCheck } from './examples/runExample.ts';

/** Objects that a program calls itself: each of their functions is called in an example. */
const HANDLES = ['PolicyClient', 'SvcWallet', 'WalletAgents', 'WalletPolicies'];
/** Objects that a program hands to the SDK or to its web framework, which calls them. */
const HANDED_ON = [
  ...['PaymentSigner', 'PolicyAttach', 'SorobanValue', 'SpendingStore'],
  ...['SaleRecognizer', 'SaleStore'],
];

const published = join(projectRoot, 'examples', 'paid-api', 'node_modules', '@x402');
const packages = ['sdk.d.ts', 'upto.d.ts'].map((name) => join(projectRoot, 'dist', name));
const built = packages.every((path) => existsSync(path)) && existsSync(published);

/** The functions of the package, and of the library of scheme `upto`, which exports some of them again. */
function everyDoor(): readonly Documented[] {
  const all = packages.flatMap((declarations) => readExamples(declarations));
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
}

function contextsOf({ of, given }: Example): readonly Context[] {
  return given.map((name) => CONTEXTS[name] ?? assert.fail(`${of}: no context is called ${name}`));
}

describe('Every public function of the SDK has an example that compiles and runs', {
  skip: built ? false : 'needs a build, and the packages of examples/paid-api',
}, () => {
  const documented = built ? everyDoor() : [];
  const examples = documented.flatMap((one) => one.examples);
  let packing = '';
  let folder = '';
  let market: Market;
  before(async () => {
    packing = mkdtempSync(join(tmpdir(), 'svc-x402-examples-'));
    folder = await strangersFolder(await packSdk(packing));
    const installed = join(folder, 'node_modules');
    mkdirSync(installed, { recursive: true });
    symlinkSync(published, join(installed, '@x402'));
    symlinkSync(projectRoot, join(installed, 'svc-x402'));
    market = await openMarket();
  });
  after(async () => {
    await market?.close();
    rmSync(packing, { recursive: true, force: true });
  });

  it('there are functions, and each has an example', () => {
    assert.ok(documented.length >= 23, `${documented.length}`);
    const without = documented.filter((one) => one.examples.length === 0).map(({ name }) => name);
    assert.deepEqual(without, []);
  });

  it('and so have the functions of the objects that they return', () => {
    for (const { name, handle, examples } of documented) {
      if (handle === undefined || HANDED_ON.includes(handle.name)) continue;
      assert.ok(HANDLES.includes(handle.name), `${handle.name}: who calls it?`);
      const text = documented
        .flatMap((one) => one.examples)
        .filter(uses(name))
        .map(({ text }) => text);
      assert.ok(examples.length > 0, name);
      const uncalled = handle.functions.filter((one) => !text.join('\n').includes(`.${one}(`));
      assert.deepEqual(uncalled, [], `${handle.name} of ${name}`);
    }
  });

  it('the package has the examples in its declarations, where editors show them', () => {
    const packed = readExamples(join(folder, 'node_modules', 'svc-x402-sdk', 'index.d.ts'));
    const of = (all: readonly Documented[]) => new Map(all.map((one) => [one.name, one.examples]));
    const written = of(documented);
    for (const [name, examples] of of(packed)) assert.deepEqual(examples, written.get(name), name);
    assert.ok(packed.length >= 21);
  });

  it('examples that pay name the allowed assets', () => {
    for (const { of, text } of examples.filter(pays)) {
      assert.match(text, /allowedAssets: \[USDC\]|asset === USDC/, of);
    }
  });

  it('amounts are written with their code, never in atomic units', () => {
    for (const { of, text } of examples) {
      assert.doesNotMatch(text.replaceAll(/\/\/.*/g, ''), /\b\d+n\b/, of);
      for (const line of text.split('\n')) {
        const [, amount] = /(?<!version: )'\$?(\d+(?:\.\d+)?)'/.exec(line) ?? [];
        if (amount !== undefined) assert.ok(line.includes(`${amount} USDC`), `${of}: ${line}`);
      }
    }
  });

  it('compiles against the packed types', () => {
    const given = (example: Example) =>
      contextsOf(example)
        .map(({ declarations }) => declarations)
        .join('\n');
    const used = new Set(examples.flatMap((one) => one.given));
    assert.deepEqual(
      Object.keys(CONTEXTS).filter((name) => !used.has(name)),
      [],
    );
    assert.deepEqual(typeCheck(examples, given, folder), []);
    const [first] = examples;
    assert.ok(first);
    const mistake = { ...first, text: `${first.text}createX402Fetch({});\n` };
    assert.equal(typeCheck([mistake], given, folder).length, 1);
  });

  for (const [index, example] of examples.entries()) {
    it(`runs: ${example.of} (${index + 1})`, async () => {
      const contexts = contextsOf(example);
      const given = Object.assign(
        {},
        ...(await Promise.all(contexts.map((one) => one.open(market)))),
      );
      const others = contexts.map((one) => one.addresses?.(market) ?? {});
      const addresses = Object.assign({}, market.addresses, ...others);
      const { usdc: before } = await balancesOf(market.stack, market.payTo.address);
      const printed = await run(example, given, addresses, folder);
      assertPrinted(example, printed);
      const { usdc: after } = await balancesOf(market.stack, market.payTo.address);
      assert.equal(after - before, pays(example) ? 100_000n : 0n, 'what the seller received');
    });
  }
});

const uses =
  (name: string) =>
  ({ text }: Example) =>
    text.includes(`${name}(`);

/** Whether an example calls a URL that costs money. */
function pays({ text }: Example): boolean {
  return text.includes('127.0.0.1:4022/');
}
