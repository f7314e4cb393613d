import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { python, withoutPython } from '../mcp/agentClients.ts';
import { grantBudget } from '../mcp/agentWithBudget.ts';
import { readCall } from '../mcp/callResult.ts';
import { Chain } from '../policies/support/chain.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { RawClient, signCall, toolServer } from './support/mcpClient.ts';
import { openShop, type Shop } from './support/shop.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const cli = path('../../dist/cli.js');
const everything =
  process.env['MCP_EVERYTHING'] ??
  path(
    '../../build/mcp-servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  );
const withoutEverything = existsSync(everything)
  ? false
  : 'name the program of @modelcontextprotocol/server-everything with MCP_EVERYTHING';

interface Upstream {
  readonly name: string;
  readonly skip: string | false;
  readonly command: readonly string[];
  /** Arguments that serve Streamable HTTP at a port. */
  readonly http: (port: number) => { args: readonly string[]; env?: Record<string, string> };
  readonly tool: string;
  readonly values: object;
  readonly answer: RegExp;
}

const UPSTREAMS: readonly Upstream[] = [
  {
    ...{ name: 'on the official TypeScript SDK', skip: false, tool: 'search' },
    command: [process.execPath, toolServer, 'stdio'],
    http: (port) => ({ args: [process.execPath, toolServer, 'http', String(port)] }),
    ...{ values: { query: 'agents' }, answer: /found agents/ },
  },
  {
    ...{ name: 'on the official Python SDK', skip: withoutPython, tool: 'forecast' },
    command: [python, path('support/pythonToolServer.py'), 'stdio'],
    http: (port) => ({ args: [python, path('support/pythonToolServer.py'), String(port)] }),
    ...{ values: { city: 'Lima' }, answer: /19 degrees in Lima/ },
  },
  {
    ...{ name: 'of the official collection', skip: withoutEverything, tool: 'echo' },
    command: [process.execPath, everything, 'stdio'],
    http: (port) => ({
      args: [process.execPath, everything, 'streamableHttp'],
      env: { PORT: String(port) },
    }),
    ...{ values: { message: 'hello' }, answer: /hello/ },
  },
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('Agents buy tools through the proxy from servers', () => {
  const folder = temporaryFolder();
  let stack: LocalStack;
  let chain: Chain;
  let payer: TestKey;
  let payTo: TestKey;
  let agent: Client;
  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false, checksLocalSellers: true });
    payer = await openPayer(stack, 1_000_000_000n);
    chain = new Chain(stack, payer);
    payTo = await openSeller(stack);
    const { secret, wallet } = await grantBudget(stack, chain, payer.address, {
      ...{ name: 'buyer', budget: '1' },
    });
    agent = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await agent.connect(
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
  });
  after(async () => {
    await agent?.close();
    await stack?.close();
    folder.remove();
  });
  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;

  for (const { name, skip, command, http, tool, values, answer } of UPSTREAMS) {
    for (const transport of ['http', 'stdio'] as const) {
      describe(`${name}, over ${transport}`, { skip }, () => {
        let shop: Shop;
        let child: ChildProcess | undefined;
        before(async () => {
          let where = `  command: ${JSON.stringify(command)}`;
          if (transport === 'http') {
            const port = await freePort();
            const { args, env } = http(port);
            const [program = '', ...rest] = args;
            child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: 'ignore' });
            where = `  http: http://127.0.0.1:${port}/mcp`;
            await reachable(`http://127.0.0.1:${port}/mcp`);
          }
          shop = await openShop(
            `payTo: ${payTo.address}\nmcp:\n${where}\n  tools: { ${tool}: 0.01 }\n  otherwise: free`,
            { facilitatorUrl: stack.facilitator.url },
          );
        });
        after(async () => {
          await shop?.close();
          child?.kill('SIGKILL');
        });
        const url = () => `${shop.proxy.url}/mcp`;

        it('x402_call pays, and gets the result', async () => {
          const before = await earned();
          const result = await agent.callTool({
            name: 'x402_call',
            arguments: { url: url(), tool, arguments: values, maxAmount: '0.05' },
          });
          const { said, text } = readCall(result);
          assert.equal(said.outcome, 'settled', text);
          assert.match(said.body ?? '', answer);
          assert.equal((await earned()) - before, 100_000n);
        });

        it('the official client lists, is asked for the price, and gets what it paid for', async () => {
          const client = new FirstClient({ name: 'test', version: '1' });
          await client.connect(new StreamableHTTPClientTransport(new URL(url())) as never);
          const { tools } = await client.listTools();
          const listed = tools.find((each) => each.name === tool);
          assert.match(listed?.description ?? '', /Costs 0\.01 USDC/);
          const ask = { name: tool, arguments: { ...values } };
          const asked = (await client.callTool(ask)) as CallToolResult;
          assert.equal(asked.isError, true);
          const payment = await signCall(stack, payer, payTo, { result: asked } as never);
          const bought = (await client.callTool({
            ...ask,
            _meta: { 'x402/payment': payment },
          })) as CallToolResult;
          assert.match(JSON.stringify(bought.content), answer);
          const receipt = bought._meta?.['x402/payment-response'] as { success?: boolean };
          assert.equal(receipt.success, true);
          await client.close();
        });

        it('spellings of the call get nothing', async () => {
          const client = await new RawClient(url()).open();
          const call = JSON.stringify({
            ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
            params: { name: tool, arguments: values },
          });
          const before = await earned();
          for (const body of spellings(call, tool)) {
            const said = await client.raw(body);
            assert.doesNotMatch(said.body, answer, body);
          }
          assert.equal(await earned(), before);
        });
      });
    }
  }
});

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(url, { method: 'HEAD' }).catch(() => undefined)) return;
    await pause(100);
  }
  throw new Error(`${url} does not answer`);
}

/** Ways to write a call that some server could read as one. */
function spellings(call: string, tool: string): readonly string[] {
  const name = JSON.stringify(tool);
  const named = `"name":${name}`;
  const names = [
    tool.toUpperCase(),
    `${tool} `,
    ` ${tool}`,
    `${tool}\u0000`,
    `${tool}\n`,
    `\ufeff${tool}`,
    `${tool}\u200b`,
    `./${tool}`,
  ];
  const methods = [
    'TOOLS/CALL',
    'tools/call ',
    'tools/Call',
    'tools//call',
    'tools\\call',
    'tools/call\u0000',
    '/tools/call',
  ];
  return [
    call,
    `[${call}]`,
    `[${call},${call}]`,
    `[{"jsonrpc":"2.0","id":9,"method":"ping"},${call}]`,
    call.replace('"id":1,', ''),
    call.replace('"id":1', '"id":null'),
    call.replace('"id":1', '"id":1.5'),
    call.replace('"id":1', '"id":123456789012345678901234567890'),
    call.replace('"id":1', '"id":[1]'),
    call.replace('"jsonrpc":"2.0"', '"jsonrpc":"1.0"'),
    call.replace('"jsonrpc":"2.0",', ''),
    call.replace('"method"', '"method":"ping","method"'),
    call.replace('"method"', '"Method":"ping","method"'),
    call.replace('"params"', '"Params":{},"params"'),
    call.replace(named, `"name":"free","name":${name}`),
    call.replace(named, `"name":"free","Name":${name}`),
    call.replace(named, `"name":"free","n\\u0061me":${name}`),
    call.replace(named, `"name":[${name}]`),
    call.replace(named, `"name":{"x":${name}}`),
    call.replace(/"params":.*$/, `"params":[${name},{}]}`),
    call.replace(named, `${named},"task":{"ttl":1000}`),
    call.replace(named, `${named},"_meta":{"x402/payment":true}`),
    call.replace(named, `${named},"_meta":{"x402/payment":{"x402Version":2}}`),
    call.replace(named, `${named},"_meta":{"X402/Payment":{}}`),
    `\ufeff${call}`,
    `${call}\n`,
    `\n\n${call}`,
    `${call}\n${call}`,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":\n${call}\n}}`,
    `{"jsonrpc":"2.0","id":1,"result":\n${call}\n}`,
    `{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":\r${call}\r}}`,
    ...names.map((each) => call.replace(named, `"name":${JSON.stringify(each)}`)),
    ...methods.map((each) => call.replace('"tools/call"', JSON.stringify(each))),
  ];
}
