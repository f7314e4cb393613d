import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runTool } from '../../clients/tool.ts';
import { grantBudget } from '../../mcp/agentWithBudget.ts';
import { readCall } from '../../mcp/callResult.ts';
import { Chain } from '../../policies/support/chain.ts';
import { openPayer } from '../../support/accounts.ts';
import type { LocalStack } from '../../support/localStack.ts';
import type { ForeignUpstream } from './upstreams.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const STOCK = fileURLToPath(new URL('stockBuyer.mjs', import.meta.url));
const PRICE = '100000';

/** One way to buy. */
export interface Buyer {
  readonly name: string;
  /** Returns the body that it got. @throws Error with its words if it did not pay */
  buy(url: string, sold: ForeignUpstream['sold']): Promise<string>;
}

export interface Buyers {
  readonly all: readonly Buyer[];
  close(): Promise<void>;
}

/** Opens the buyers, each with an account of its own. @param folder for their files */
export async function openBuyers(stack: LocalStack, folder: string): Promise<Buyers> {
  const payer = await openPayer(stack, 1_000_000_000n);
  const { urls, certificateAuthority } = stack.ledger;
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificateAuthority?.pem ?? '');
  const { secret, wallet } = await grantBudget(stack, new Chain(stack, payer), payer.address, {
    ...{ name: 'buyer', budget: '1' },
  });
  const agent = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--pay'],
      env: {
        PATH: process.env['PATH'] ?? '',
        SVC_X402_DATA_DIR: join(folder, 'agent'),
        FACILITATOR_URL: stack.facilitator.url,
        STELLAR_RPC_URL: stack.rpcUrl,
        PAYER_SECRET: secret,
        PAYER_WALLET: wallet,
      },
      stderr: 'pipe',
    }),
  );
  const ran = async (program: readonly string[], env: Record<string, string>): Promise<string> => {
    const options = { cwd: folder, seconds: 60, env: { PAYER_SECRET: payer.secret, ...env } };
    const { code, stdout, stderr } = await runTool(process.execPath, program, options);
    if (code !== 0) throw new Error(`ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  };
  return {
    all: [
      {
        name: 'svc-x402 pay',
        async buy(url, { method, body }) {
          const request = ['--method', method, ...(body === undefined ? [] : ['--body', body])];
          const printed = await ran([CLI, 'pay', url, ...request, '--json'], {
            STELLAR_RPC_URL: stack.rpcUrl,
            SVC_X402_DATA_DIR: join(folder, 'pay'),
          });
          if (!printed.includes(PRICE) && !printed.includes('0.01')) throw new Error(printed);
          return printed;
        },
      },
      {
        name: '@x402/fetch',
        async buy(url, { method, body }) {
          const headers = { 'content-type': 'application/json' };
          const request = { url, method, ...(body === undefined ? {} : { body, headers }) };
          const printed = await ran([STOCK], {
            STELLAR_RPC_URL: urls?.rpcTls ?? '',
            NODE_EXTRA_CA_CERTS: authority,
            REQUEST: JSON.stringify(request),
          });
          const said = JSON.parse(printed) as { readonly paid: boolean; readonly body: string };
          if (!said.paid) throw new Error(printed);
          return said.body;
        },
      },
      {
        name: 'x402_call of an agent',
        async buy(url, { method, body }) {
          const { said, text } = readCall(
            await agent.callTool({
              name: 'x402_call',
              arguments: {
                ...{ url, method, maxAmount: '0.05' },
                ...(body === undefined
                  ? {}
                  : { body, headers: { 'content-type': 'application/json' } }),
              },
            }),
          );
          if (said.outcome !== 'settled') throw new Error(text);
          return said.body ?? '';
        },
      },
    ],
    close: () => agent.close(),
  };
}
