import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Address, rpc, scValToNative, xdr } from '@stellar/stellar-sdk';
import * as z from 'zod/mini';
import { CliProcess, temporaryFolder } from '../cli/cliProcess.ts';
import { sellerInstalled } from '../support/paidSeller.ts';
import { USDC } from '../support/payment.ts';

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const folder = path('examples/agent');
const missing = [
  `${folder}/node_modules/@modelcontextprotocol/sdk`,
  path('dist/sdk.node.mjs'),
].find((needed) => !existsSync(needed));
const TASK = 'current weather in Nairobi';

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env };
    execFile(process.execPath, [program, ...args], { cwd: folder, env: all }, (error, stdout) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout });
    });
  });
}

const step = z.looseObject({ step: z.string() });
const serving = z.object({
  facilitatorUrl: z.string(),
  network: z.looseObject({ rpcUrl: z.string() }),
  seller: z.string(),
});

describe('examples/agent, with published packages and the built SDK', {
  skip: missing === undefined && sellerInstalled ? false : 'needs its packages, and a build',
}, () => {
  const data = temporaryFolder();
  let service: CliProcess;
  let addresses: z.infer<typeof serving>;
  before(async () => {
    const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
    service = new CliProcess(['dev', '--in-memory', '--json', '--data-dir', data.path, ...ports]);
    addresses = z.parse(serving, await service.event('serving'));
  });
  after(async () => {
    await service.stop('SIGINT');
    data.remove();
  });

  const agent = (...args: string[]) => run('agent.mjs', args, { SVC_X402_DATA_DIR: data.path });

  /** Runs it with `--json` and gives its steps, each kind in order. */
  async function steps(task: string) {
    const { code, stdout } = await agent('--json', task);
    const told = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => z.parse(step, JSON.parse(line)));
    return { code, told, all: (name: string) => told.filter((each) => each.step === name) };
  }

  /** USDC of a contract, as the entry of the asset's contract on the ledger has it. */
  async function heldBy(contract: string): Promise<unknown> {
    const server = new rpc.Server(addresses.network.rpcUrl, { allowHttp: true });
    const holder = new Address(contract).toScVal();
    const key = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), holder]);
    const { contractData } = (await server.getContractData(USDC, key)).val as {
      contractData: xdr.ContractDataEntry;
    };
    return scValToNative(contractData.val);
  }

  it('[Must show] [spec: Authentication/Two layers] finds by MCP, pays with a limited key, and stops at its cap: both layers, to the last stroop', async () => {
    const { code, told, all } = await steps(TASK);
    assert.equal(code, 0, JSON.stringify(told.at(-1)));
    const [searched] = all('searched');
    assert.deepEqual(searched?.['tools'], ['x402_list_resources', 'x402_search_resources']);
    const [chosen] = all('chosen');
    assert.match(String(chosen?.['url']), /^http:\/\/127\.0\.0\.1:\d+\/weather\/Nairobi\?/);
    assert.equal(chosen?.['price'], '100000');

    // A ceiling of 0.02 for the first session, a cap of 0.045 a day: two payments, and two more.
    assert.deepEqual(
      told.map((each) => each.step).slice(told.findIndex((each) => each.step === 'session')),
      [
        ...['session', 'paid', 'paid', 'own_ceiling'],
        ...['session', 'paid', 'paid', 'ledger_refused', 'balances'],
      ],
    );
    const hashes = all('paid').map(({ transaction }) => transaction);
    assert.equal(new Set(hashes).size, 4);
    for (const { body } of all('paid')) assert.deepEqual(body, { city: 'Nairobi', tempC: 19 });
    const [own] = all('own_ceiling');
    assert.deepEqual([own?.['asked'], own?.['left'], own?.['spent']], ['100000', '0', '200000']);

    const [policy] = all('deployed').map((each) => String(each['policy']));
    const [refused = { step: 'none' }] = all('ledger_refused');
    assert.deepEqual([refused['policy'], refused['account']], [1, 110]);
    assert.equal(refused['policyContract'], policy);
    assert.match(String(refused['message']), /^the spending limit of the signing key/);
    const left = [refused['limit'], refused['spent'], refused['remaining']];
    assert.deepEqual(left, ['450000', '400000', '50000']);
    assert.match(String(refused['resets']), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(all('balances')[0], {
      step: 'balances',
      payments: 4,
      before: { wallet: '1000000', seller: '100000' },
      after: { wallet: '600000', seller: '500000' },
      paid: '400000',
    });

    // The ledger says the same.
    const wallet = String(all('wallet')[0]?.['wallet']);
    const { amount } = (await heldBy(wallet)) as { amount: bigint };
    assert.equal(amount, 600_000n);
  });

  it('says plainly that it found nothing, and pays nothing', async () => {
    const { code, told, all } = await steps('repair manuals of tractors');
    assert.equal(code, 1);
    assert.deepEqual(
      told.map((each) => each.step),
      ['task', 'searched', 'nothing_found'],
    );
    assert.match(String(all('nothing_found')[0]?.['message']), /^Nothing is found for this task/);
  });

  it('does not pay more than its limit for one request', async () => {
    const env = { SVC_X402_DATA_DIR: data.path, MAX_PRICE: '0.0099999' };
    const { code, stdout } = await run('agent.mjs', [TASK], env);
    assert.equal(code, 1);
    assert.match(stdout, /None of what is found can be paid in USDC for at most 0\.0099999/);
  });

  it('starts everything that it needs, and prints what happened', async () => {
    const { code, stdout } = await run('alone.mjs', [TASK], {});
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^stopped {5}by itself, before anything was signed: asked 0\.0100000/m);
    assert.match(stdout, /^refused {5}by the ledger/m);
    assert.match(stdout, /^ {2}contract {2}C[A-Z2-7]{55}, the spending limit of this wallet$/m);
    assert.match(stdout, /^ {2}error {5}#1, which the account passes on as #110$/m);
    assert.match(stdout, /^ {2}meaning .*exceeds what is left in this window/m);
    assert.match(stdout, /^ {2}left {6}0\.0050000 of 0\.0450000 USDC, 0\.0400000 spent$/m);
    assert.match(stdout, /^ {2}resets {4}\d{4}-\d\d-\d\dT[\d:.]+Z$/m);
    assert.match(stdout, /^balances {4}4 payments: the wallet gave 0\.0400000/m);
  });
});
