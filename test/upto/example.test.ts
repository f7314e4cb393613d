import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scValToNative } from '@stellar/stellar-sdk';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { UptoSale } from '../contracts/uptoSale.ts';
import { openSeller } from '../support/accounts.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { sellerInstalled } from '../support/paidSeller.ts';
import type { TestKey } from '../support/payer.ts';
import { contractOf } from './uptoPayment.ts';

const folder = fileURLToPath(new URL('../../examples/paid-api/upto/', import.meta.url));
const built = existsSync(fileURLToPath(new URL('../../dist/upto.js', import.meta.url)));

type Step = Readonly<Record<string, unknown>> & { readonly step: string };

/** Runs a program of the example, and hands over each step that it prints. */
function run(program: string, env: NodeJS.ProcessEnv, onStep: (step: Step) => void): ChildProcess {
  const child = spawn(process.execPath, [program, '--json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) onStep(JSON.parse(line) as Step);
  });
  return child;
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('close', resolve));

describe('examples/paid-api/upto, with the published packages unmodified', {
  skip: sellerInstalled && built ? false : 'needs npm ci in examples/paid-api, and a build',
}, () => {
  let local: LocalNetwork;
  let facilitator: RunningFacilitator;
  let seller: TestKey;
  let sellerProcess: ChildProcess;
  let url: string;

  before(async () => {
    local = await startLocalNetwork();
    const uptoContractId = contractOf(local);
    facilitator = await startFacilitator({ ...facilitatorOptions(local), uptoContractId });
    seller = await openSeller(local);
    url = await new Promise((resolve, reject) => {
      const env = { FACILITATOR_URL: facilitator.url, PAY_TO: seller.address, PORT: '0' };
      sellerProcess = run('seller.mjs', env, (step) => {
        if (step.step === 'listening') resolve(String(step['url']));
      });
      sellerProcess.once('close', () => reject(new Error('the seller ended')));
    });
  });
  after(async () => {
    sellerProcess.kill('SIGTERM');
    await facilitator.close();
    await local.close();
  });

  it('[Must show 5] sells 0.37 of a ceiling of 1.00: the transfer event shows 0.37', async () => {
    const steps = new Map<string, Step>();
    const buyer = run(
      'buyer.mjs',
      {
        STELLAR_RPC_URL: local.rpcUrl,
        FRIENDBOT_URL: local.friendbotUrl,
        RESOURCE_URL: url,
        BUY_USDC: '2',
      },
      (step) => steps.set(step.step, step),
    );
    assert.equal(await ended(buyer), 0, String(steps.get('failed')?.['message']));
    const settled = steps.get('settled');
    assert.equal(settled?.['words'], 37);
    assert.equal(settled['amount'], '3700000');
    assert.equal(steps.get('balances')?.['paid'], '0.3700000');

    const sale = new UptoSale(local.ledger);
    const answer = await sale.server.getTransaction(String(settled['transaction']));
    assert.ok('events' in answer);
    const events = answer.events.contractEventsXdr.flat().map(({ body }) => {
      const [name, ...parties] = body.v0.topics.map((topic) => scValToNative(topic));
      const data: unknown = scValToNative(body.v0.data);
      return [name, ...parties.slice(0, 2), Array.isArray(data) ? data[0] : data];
    });
    assert.deepEqual(events, [
      ['approve', settled['payer'], contractOf(local), 10_000_000n],
      ['transfer', settled['payer'], seller.address, 3_700_000n],
    ]);
  });

  it('a seller without actual use charges nothing', async () => {
    const steps = new Map<string, Step>();
    const buyer = run(
      'buyer.mjs',
      {
        STELLAR_RPC_URL: local.rpcUrl,
        FRIENDBOT_URL: local.friendbotUrl,
        RESOURCE_URL: url.replace('/words/37', '/words/0'),
        BUY_USDC: '2',
      },
      (step) => steps.set(step.step, step),
    );
    assert.equal(await ended(buyer), 0, String(steps.get('failed')?.['message']));
    assert.equal(steps.get('settled')?.['amount'], '0');
    assert.equal(steps.get('balances')?.['paid'], '0.0000000');
  });

  it('a buyer refuses to sign a ceiling above its own', async () => {
    const steps = new Map<string, Step>();
    const buyer = run(
      'buyer.mjs',
      {
        STELLAR_RPC_URL: local.rpcUrl,
        FRIENDBOT_URL: local.friendbotUrl,
        RESOURCE_URL: url,
        MAX_TO_SIGN: '9999999',
      },
      (step) => steps.set(step.step, step),
    );
    assert.equal(await ended(buyer), 1);
    assert.match(String(steps.get('failed')?.['message']), /more than the 0\.9999999 allowed/);
  });
});
