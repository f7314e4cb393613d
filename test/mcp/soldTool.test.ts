import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { Chain } from '../policies/support/chain.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type PaidSeller, startPaidSeller, toolSellerInstalled } from '../support/paidSeller.ts';
import type { TestKey } from '../support/payer.ts';
import { grantBudget } from './agentWithBudget.ts';
import { readCall } from './callResult.ts';
import { startScriptedTool } from './scriptedTool.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const HASH = /^[0-9a-f]{64}$/;
const STATELESS = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

describe('x402_call buys tools that are sold over MCP', {
  skip: toolSellerInstalled ? false : 'examples/paid-api needs its packages: run npm ci in it',
}, () => {
  const folder = temporaryFolder();
  let stack: LocalStack;
  let chain: Chain;
  let funder: TestKey;
  let payTo: TestKey;
  let seller: PaidSeller;
  let client: Client;
  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false, checksLocalSellers: true });
    funder = await openPayer(stack, 1_000_000_000n);
    chain = new Chain(stack, funder);
    payTo = await openSeller(stack);
    seller = await startPaidSeller({
      program: 'tool-seller.mjs',
      facilitatorUrl: stack.facilitator.url,
      payTo: payTo.address,
    });
    client = await agent('buyer', '0.03');
  });
  after(async () => {
    await client?.close();
    await seller?.stop();
    await stack?.close();
    folder.remove();
  });

  /** An agent with a budget of its own, over `svc-x402 mcp --pay`. */
  async function agent(name: string, budget: string): Promise<Client> {
    const { secret, wallet } = await grantBudget(stack, chain, funder.address, { name, budget });
    const opened = new Client({ name: 'test', version: '1' }, STATELESS);
    await opened.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--pay'],
        env: {
          PATH: process.env['PATH'] ?? '',
          SVC_X402_DATA_DIR: folder.path,
          FACILITATOR_URL: stack.facilitator.url,
          STELLAR_RPC_URL: stack.rpcUrl,
          PAYER_SECRET: secret,
          PAYER_WALLET: wallet,
        },
        stderr: 'pipe',
      }),
    );
    return opened;
  }

  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;

  async function call(values: object, of = client) {
    const result = await of.callTool({
      name: 'x402_call',
      arguments: { maxAmount: '0.05', ...values },
    });
    return readCall(result);
  }

  describe('of the example, which sells one with published packages', () => {
    const forecast = (city: string, values: object = {}) => ({
      url: seller.url,
      tool: 'forecast',
      arguments: { city, days: 2 },
      ...values,
    });

    it('pays, returns the result, and the receipt agrees with the ledger', async () => {
      const before = await earned();
      const { said, text } = await call(forecast('Lima'));
      assert.equal(said.outcome, 'settled', text);
      assert.equal(said.status, null);
      const { content } = JSON.parse(said.body ?? '') as { content: { text: string }[] };
      assert.deepEqual(JSON.parse(content[0]?.text ?? ''), { city: 'Lima', days: [19, 20] });
      assert.match(text, /^Paid 0\.01 USDC to G/);
      assert.equal(said.receipt?.method, 'tool forecast');
      assert.equal(said.receipt.url, seller.url);
      const hash = said.receipt.transaction ?? '';
      assert.match(hash, HASH);
      const known = await fetch(`${stack.facilitator.url}/settlements/${hash}`);
      assert.equal(((await known.json()) as { state: string }).state, 'settled');
      assert.equal((await earned()) - before, 100_000n);
    });

    it('it is found in the catalog with the tool, URL and inputs of the call', async () => {
      const found = await client.callTool({
        name: 'x402_search_resources',
        arguments: { query: 'weather forecast for a city', type: 'mcp' },
      });
      const { resources } = found.structuredContent as {
        resources: { resource: string; toolName?: string }[];
      };
      assert.deepEqual(
        resources.map(({ resource, toolName }) => [resource, toolName]),
        [[seller.url, 'forecast']],
      );
    });

    it('a price above maxAmount pays nothing, and the budget on the ledger applies to tools too', async () => {
      const before = await earned();
      const dear = await call(forecast('Cusco', { maxAmount: '0.009' }));
      assert.equal(dear.said.code, 'max_amount_exceeded');
      assert.equal((await call(forecast('Quito'))).said.outcome, 'settled');
      assert.equal((await call(forecast('Bogotá'))).said.outcome, 'settled');
      const fourth = await call(forecast('Caracas'));
      assert.equal(fourth.said.code, 'policy_refused', fourth.text);
      assert.equal((await earned()) - before, 200_000n);
    });

    it('a missing tool, and an address without a server, pay nothing', async () => {
      const before = await earned();
      const missing = await call(forecast('Lima', { tool: 'nothing' }));
      assert.equal(missing.said.outcome, 'free', missing.text);
      const { origin } = new URL(seller.url);
      const none = await call(forecast('Lima', { url: `${origin}/elsewhere` }));
      assert.equal(none.said.code, 'no_answer');
      const both = await call(forecast('Lima', { method: 'GET' }));
      assert.equal(both.said.code, 'invalid_request');
      assert.equal(await earned(), before);
    });
  });

  describe('of sellers with arbitrary responses', () => {
    let tools: Awaited<ReturnType<typeof startScriptedTool>>;
    let other: Client;
    before(async () => {
      other = await agent('careful', '0.10');
      tools = await startScriptedTool(stack.facilitator.url, payTo.address);
    });
    after(async () => {
      await other?.close();
      await tools?.close();
    });
    const buy = () => call({ url: tools.url, tool: 'scripted' }, other);

    it('terms in x402/error of structured content, in text alone, in a JSON-RPC error, and those of MPP are read', async () => {
      for (const form of [
        ...['wrapped', 'text', 'error'],
        ...['challenge', 'challenge in a result'],
      ] as const) {
        tools.terms = form;
        const before = await earned();
        const { said, text } = await buy();
        assert.equal(said.outcome, 'settled', `${form}: ${text}`);
        assert.equal((await earned()) - before, 100_000n);
      }
      tools.terms = 'structured';
    });

    it('a result that is an error after the settlement is reported as paid, with the hash', async () => {
      tools.paid = async (settle) => {
        await settle();
        return { isError: true, content: [{ type: 'text', text: 'sorry' }] };
      };
      const { said, text } = await buy();
      assert.equal(said.code, 'settled_without_resource', text);
      assert.match(said.receipt?.transaction ?? '', HASH);
    });

    it('a result without a settlement is not paid yet, whatever it claims, and is not paid again', async () => {
      const before = await earned();
      tools.paid = async () => ({
        content: [{ type: 'text', text: 'free lunch' }],
        _meta: { 'x402/payment-response': { success: true, transaction: 'ab'.repeat(32) } },
      });
      const { said } = await buy();
      assert.equal(said.outcome, 'not_yet');
      assert.equal(said.receipt?.transaction, null);
      assert.equal(await earned(), before);
    });

    it('a connection that is cut after the settlement is reported as paid; the same call is not paid blindly', async () => {
      const before = await earned();
      tools.paid = async (settle, cut) => {
        await settle();
        cut();
        return { content: [] };
      };
      const { said, text } = await call({ url: tools.url, tool: 'cut' }, other);
      assert.equal(said.outcome, 'settled', text);
      assert.equal(said.code, 'settled_without_resource');
      assert.equal((await earned()) - before, 100_000n);
    });

    it('a seller of MPP that asks again after it was paid gets no second payment', async () => {
      tools.terms = 'challenge';
      const [before, presented] = [await earned(), tools.presented];
      tools.paid = async (settle, _, again) => {
        await settle();
        return again();
      };
      const { said, text } = await call({ url: tools.url, tool: 'again' }, other);
      assert.equal(said.code, 'settled_without_resource', text);
      assert.equal((await earned()) - before, 100_000n);
      assert.equal(tools.presented - presented, 1);
      tools.terms = 'structured';
    });

    it('an endless response is cut off, and pays nothing', async () => {
      const presented = tools.presented;
      tools.endless = true;
      const { said } = await call({ url: tools.url, tool: 'endless' }, other);
      assert.equal(said.code, 'no_answer');
      assert.equal(tools.presented, presented);
      tools.endless = false;
    });
  });
});
