import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describeUse } from '../../../src/extension/editor/agentTools/describeUse.ts';
import { type McpClient, startMcpClient } from '../../../src/extension/mcpClient/index.ts';
import { discoveryServer } from '../../../src/mcp/discoveryServer.ts';
import { Handovers } from '../../../src/mcp/pay/handovers.ts';
import { OpenQuestions } from '../../../src/mcp/pay/openQuestions.ts';
import type { Purse } from '../../../src/mcp/pay/purse.ts';
import { temporaryFolder } from '../../cli/cliProcess.ts';
import { grantBudget } from '../../mcp/agentWithBudget.ts';
import { honest, type ScriptedSeller, startScriptedSeller } from '../../mcp/scriptedSeller.ts';
import { Chain } from '../../policies/support/chain.ts';
import { openPayer, openSeller } from '../../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = join(root, 'dist', 'cli.js');

interface Contributed {
  readonly name: string;
  readonly when: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
}

/** The tools as the servers list them. */
async function served() {
  const unread = async () => assert.fail('nothing is read');
  const handovers = new Handovers();
  const paying = { purse: {} as Purse, handovers, questions: new OpenQuestions() };
  const [one, other] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const server = discoveryServer('1', unread, paying);
  await server.connect(one);
  await client.connect(other);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name, description, inputSchema: { $schema: _, ...inputSchema } }) => ({
    name,
    modelDescription: description,
    inputSchema,
  }));
}

describe('The language model tools of the editor', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    contributes: { languageModelTools: readonly Contributed[] };
  };
  const contributed = manifest.contributes.languageModelTools;

  it('are those of the MCP server: same names, descriptions and inputs', async () => {
    const shown = contributed.map(({ name, modelDescription, inputSchema }) => ({
      name,
      modelDescription,
      inputSchema,
    }));
    assert.deepEqual(shown, await served());
  });

  it('are offered only while their setting allows it; paying tools have their own setting', () => {
    for (const { name, when } of contributed) {
      const reads = name.endsWith('_resources');
      assert.equal(when, reads ? 'config.svc-x402.mcp == on' : 'config.svc-x402.agentKeyFile');
    }
  });
});

describe('An agent that pays from the editor', {
  skip: existsSync(cli) ? false : 'dist/cli.js is not built: run npm run build',
}, () => {
  const folder = temporaryFolder();
  const asked: string[] = [];
  let answer = true;
  let stack: LocalStack;
  let seller: ScriptedSeller;
  let client: McpClient;

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false });
    const funder = await openPayer(stack, 1_000_000_000n);
    const chain = new Chain(stack, funder);
    seller = await startScriptedSeller(stack.facilitator.url, (await openSeller(stack)).address);
    const granted = await grantBudget(stack, chain, funder.address, { name: 'e', budget: '1' });
    const { wallet, agent, secret } = granted;
    const keyFile = join(folder.path, 'agent.json');
    writeFileSync(keyFile, JSON.stringify({ version: 1, wallet, agent, secret }), { mode: 0o600 });
    client = await startMcpClient({
      runtime: { command: process.execPath, environment: {} },
      bundle: cli,
      args: ['mcp', '--pay', '--key-file', keyFile],
      version: '1',
      environment: {
        SVC_X402_DATA_DIR: folder.path,
        FACILITATOR_URL: stack.facilitator.url,
        STELLAR_RPC_URL: stack.rpcUrl,
      },
      onLog: () => {},
      onClosed: () => {},
      onAsk: async (question) => {
        asked.push(question);
        return answer;
      },
    });
  });
  after(async () => {
    client?.close();
    await seller?.close();
    await stack?.close();
    folder.remove();
  });

  const call = async (path: string, maxAmount: string) => {
    const { text } = await client.callTool('x402_call', {
      url: `${seller.url}${path}`,
      maxAmount,
    });
    return text;
  };

  it('is preceded by a question with seller, amount, and the remaining budget', async () => {
    const read = async () => (await client.callTool('x402_budget', {})).structuredContent;
    const input = { url: seller.url, maxAmount: '0.05' };
    const { question } = await describeUse('x402_call', input, read);
    const { host } = new URL(seller.url);
    assert.equal(
      question?.message,
      `Pay ${host} up to 0.05 USDC for GET "${seller.url}"? 1 USDC is left in the budget.`,
    );
  });

  it('pays, and text and receipt show the payment', async () => {
    seller.paid = honest;
    seller.price = 300_000n;
    const text = await call('/a', '0.05');
    assert.match(text, /^Paid 0\.0\d+ USDC to G/);
    assert.deepEqual(asked, []);
  });

  it('asks the user above the threshold, even if the editor may use the tool without asking', async () => {
    seller.price = 2_000_000n;
    answer = false;
    assert.match(await call('/b', '0.5'), /did not agree\. Nothing was paid\.$/);
    answer = true;
    assert.match(await call('/b', '0.5'), /^Paid 0\.2 USDC to G/);
    assert.equal(asked.length, 2);
    assert.match(asked[0] ?? '', /^Pay 0\.2 USDC to G.* 0\.97 USDC is left in the budget/);
  });
});
