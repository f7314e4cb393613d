import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { Chain } from '../policies/support/chain.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { python, withoutPython } from './agentClients.ts';
import { grantBudget } from './agentWithBudget.ts';
import { readCall } from './callResult.ts';
import { type ScriptedSeller, startScriptedSeller } from './scriptedSeller.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Said {
  readonly tools: readonly string[];
  readonly asked: readonly string[];
  readonly results: readonly {
    readonly isError: boolean;
    readonly content: readonly { readonly text: string }[];
  }[];
}

const skip = withoutPython;

describe('the Python client', () => {
  const folder = temporaryFolder();
  let stack: LocalStack;
  let seller: ScriptedSeller;
  let payTo: TestKey;
  let funder: TestKey;
  before(async () => {
    if (skip) return;
    stack = await startLocalStack({ policyProofRequired: false });
    funder = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    seller = await startScriptedSeller(stack.facilitator.url, payTo.address);
  });
  after(async () => {
    await seller?.close();
    await stack?.close();
    folder.remove();
  });

  /** The network is in this process: nothing here may block it. */
  async function run(task: object): Promise<Said> {
    const child = spawn(python, [path('pythonClient.py')]);
    child.stdin.end(JSON.stringify(task));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout) as Said;
  }

  it('pays through svc-x402 mcp --pay ten times within a budget of 0.10, asks the user first, and is refused the eleventh by the ledger', {
    skip,
  }, async () => {
    const { wallet, secret } = await grantBudget(stack, new Chain(stack, funder), funder.address, {
      name: 'python',
      budget: '0.10',
    });
    const call = (page: number) => ({
      name: 'x402_call',
      arguments: { url: `${seller.url}/page/${page}`, maxAmount: '0.01' },
    });
    const { tools, asked, results } = await run({
      command: process.execPath,
      args: [path('../../dist/cli.js'), 'mcp', '--pay', '--ask-above', '0.009'],
      env: {
        PATH: process.env['PATH'] ?? '',
        SVC_X402_DATA_DIR: folder.path,
        FACILITATOR_URL: stack.facilitator.url,
        STELLAR_RPC_URL: stack.rpcUrl,
        PAYER_SECRET: secret,
        PAYER_WALLET: wallet,
      },
      steps: [
        ...Array.from({ length: 11 }, (_, page) => call(page)),
        { name: 'x402_receipts', arguments: {} },
        { name: 'x402_budget', arguments: {} },
      ],
    });
    assert.ok(tools.includes('x402_call'));
    assert.equal(asked.length, 11);
    const calls = results.slice(0, 11);
    assert.deepEqual(
      calls.map((result) => readCall(result).said).map(({ outcome, code }) => code ?? outcome),
      [...Array(10).fill('settled'), 'policy_refused'],
    );
    assert.match(results[11]?.content[0]?.text ?? '', /^Receipts 1 to 10 of 10\./);
    assert.match(results[12]?.content[0]?.text ?? '', /spent 0\.1, left 0;/);
    assert.equal((await balancesOf(stack, payTo.address)).usdc, 1_000_000n);
  });

  for (const mode of ['2026-07-28', 'legacy']) {
    it(`lists and calls the tools of the service over HTTP (${mode})`, { skip }, async () => {
      const { tools, results } = await run({
        url: `${stack.facilitator.url}/mcp`,
        mode,
        steps: [{ name: 'x402_list_resources', arguments: { limit: 3 } }],
      });
      assert.deepEqual(tools, ['x402_list_resources', 'x402_search_resources']);
      assert.equal(results[0]?.isError, false);
      assert.match(results[0].content[0]?.text ?? '', /^(?:Resources 1 to|No resources)/);
    });
  }
});
