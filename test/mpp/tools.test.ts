import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CREDENTIAL_META,
  RECEIPT_META,
  REQUIRED_META,
  readRequired,
  sourceOf,
} from '../../src/protocol/mpp/index.ts';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { readCall } from '../mcp/callResult.ts';
import {
  RawClient,
  type Rpc,
  signCall,
  startToolServer,
  type ToolServer,
  toolServer,
} from '../proxy/support/mcpClient.ts';
import { openShop, type Shop } from '../proxy/support/shop.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PRICE = 100_000n;
const METHODS = { methods: { stellar: { intents: ['charge'] } } };
const PAYS_BY_MPP = { experimental: { payment: METHODS } };

describe('Tools of an MCP server are sold by MPP', () => {
  const folder = temporaryFolder();
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let server: ToolServer;
  /** Sells by both, over HTTP; and by MPP alone, from a program. */
  let both: Shop;
  let alone: Shop;
  /** Declared nothing, and charges on Stellar, to the seller of both. */
  let plain: RawClient;
  let declared: RawClient;
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    server = await startToolServer('http');
    const open = (protocols: string, where: string) =>
      openShop(
        `payTo: ${payTo.address}\n${protocols}\nmcp:
  ${where}
  tools:
    search: 0.01
    wide: 0.01
    fails: 0.01
    once: { price: 0.01, settle: before }
    calls: free\n`,
        { facilitatorUrl: stack.facilitator.url },
      );
    both = await open('', `http: ${server.url}`);
    const program = [process.execPath, toolServer, 'stdio'];
    alone = await open('protocols: [mpp]', `command: ${JSON.stringify(program)}`);
    plain = await new RawClient(`${both.proxy.url}/mcp`).open();
    declared = new RawClient(`${both.proxy.url}/mcp`);
    const opened = await declared.request('initialize', {
      ...{ protocolVersion: '2025-06-18', capabilities: PAYS_BY_MPP },
      clientInfo: { name: 'test', version: '1' },
    });
    declared.session = String(opened.headers['mcp-session-id']);
  });
  after(async () => {
    await both?.close();
    await alone?.close();
    server?.close();
    await stack?.close();
    folder.remove();
  });

  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;
  const textOf = ({ result }: Rpc) => result?.content?.[0]?.text;
  const dataOf = ({ error }: Rpc) =>
    (error as { data?: Readonly<Record<string, unknown>> } | undefined)?.data;
  const receiptOf = ({ result }: Rpc) =>
    result?._meta?.[RECEIPT_META] as Readonly<Record<string, unknown>> | undefined;

  async function sign(challenge: unknown) {
    const expirationLedger = (await stack.network.getLatestLedger()) + 15;
    const { paymentPayload } = await freshPayment(stack, payer, payTo, {
      ...{ amount: PRICE, entry: { expirationLedger } },
    });
    const { transaction } = paymentPayload.payload;
    const source = sourceOf('stellar:testnet', payer.address);
    return { challenge, source, payload: { type: 'transaction', transaction } };
  }

  async function credentialFor(name: string, args: object = {}) {
    const [received] = readRequired(dataOf(await declared.call(name, args))) ?? [];
    assert.ok(received);
    return sign(received.sent);
  }

  const pay = (name: string, args: object, credential: unknown, by = declared) =>
    by.call(name, args, undefined, { [CREDENTIAL_META]: credential });

  /** The last call that the server got, in the session of a client. */
  async function lastCall(by: RawClient) {
    const { calls } = JSON.parse(textOf(await by.call('calls')) ?? '{}') as {
      calls: { _meta: Record<string, unknown> }[];
    };
    return calls.at(-1);
  }

  it('which says so in its capabilities, beside its own', async () => {
    for (const { proxy } of [both, alone]) {
      const { result } = await new RawClient(`${proxy.url}/mcp`).request('initialize', {
        ...{ protocolVersion: '2025-06-18', capabilities: {} },
        clientInfo: { name: 'test', version: '1' },
      });
      const { capabilities } = result as { capabilities?: Record<string, unknown> };
      assert.deepEqual(capabilities, { tools: {}, logging: {}, ...PAYS_BY_MPP });
    }
  });

  it('and lists the protocols with the price', async () => {
    const { result } = await plain.request('tools/list');
    const search = result?.tools?.find(({ name }) => name === 'search');
    const price = search?._meta?.['svc-x402/price'] as { protocols: string[] };
    assert.deepEqual(price.protocols, ['x402', 'mpp']);
    assert.match(search?.description ?? '', /\(x402 or MPP\)\.$/);
  });

  it('to a client that declared it, with an error; to others with the terms of both', async () => {
    const asked = await declared.call('search');
    assert.deepEqual([asked.status, asked.error?.code], [200, -32_042]);
    const undeclared = await plain.call('search');
    assert.equal(undeclared.error, undefined);
    assert.ok(undeclared.result?.structuredContent);
    assert.equal(readRequired(undeclared.result._meta?.[REQUIRED_META])?.length, 1);
    const stateless = await plain.call('search', {}, undefined, {
      'io.modelcontextprotocol/clientCapabilities': PAYS_BY_MPP,
    });
    assert.equal(stateless.error?.code, -32_042);
    const header = await plain.raw(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}',
      { 'accept-payment': 'stellar/charge' },
    );
    assert.equal(header.error?.code, -32_042);
  });

  it('for one payment, with a receipt, and the server sees no credential', async () => {
    const before = await earned();
    const credential = await credentialFor('search', { query: 'x' });
    const answer = await pay('search', { query: 'x' }, credential);
    assert.equal(textOf(answer), 'found x');
    const { reference, timestamp, ...rest } = receiptOf(answer) ?? {};
    const { id } = credential.challenge as { id: string };
    assert.deepEqual(rest, { status: 'success', method: 'stellar', challengeId: id });
    assert.match(String(reference), /^[0-9a-f]{64}$/);
    assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 60_000);
    assert.equal((await earned()) - before, PRICE);
    const meta = (await lastCall(declared))?._meta ?? {};
    assert.deepEqual(Object.keys(meta), ['svc-x402/payment']);
    assert.equal((meta['svc-x402/payment'] as { protocol: string }).protocol, 'mpp');
  });

  it('with the credential beside params too, but not with two different ones', async () => {
    const before = await earned();
    const credential = await credentialFor('search', { query: 'root' });
    const send = (inRoot: unknown, inParams?: unknown) => {
      const metaOf = (value: unknown) =>
        value === undefined ? {} : { _meta: { [CREDENTIAL_META]: value } };
      const params = { name: 'search', arguments: { query: 'root' }, ...metaOf(inParams) };
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...metaOf(inRoot) };
      return plain.raw(JSON.stringify(call));
    };
    assert.equal((await send(credential, { ...credential, source: 'x' })).error?.code, -32_602);
    assert.equal(await earned(), before);
    assert.equal(textOf(await send(credential)), 'found root');
    assert.equal(textOf(await send(credential, credential)), 'found root');
    assert.equal((await earned()) - before, PRICE);
  });

  it('once for twelve identical calls at the same time', async () => {
    const before = await earned();
    const credential = await credentialFor('search', { query: 'twelve' });
    const all = await Promise.all(
      Array.from({ length: 12 }, () => pay('search', { query: 'twelve' }, credential)),
    );
    const receipts = new Set(all.map((answer) => JSON.stringify(receiptOf(answer))));
    assert.deepEqual([...new Set(all.map(textOf))], ['found twelve']);
    assert.equal(receipts.size, 1);
    assert.equal((await earned()) - before, PRICE);
  });

  it('never twice for one transaction, by whichever protocol it comes', async () => {
    const before = await earned();
    const terms = await plain.call('search', { query: 'once' });
    const payment = (await signCall(stack, payer, payTo, terms)) as {
      payload: { transaction: string };
    };
    const credential = await credentialFor('search', { query: 'once' });
    const { transaction } = payment.payload;
    const same = { ...credential, payload: { type: 'transaction', transaction } };
    const answers = await Promise.all([
      pay('search', { query: 'once' }, same),
      plain.call('search', { query: 'once' }, payment),
    ]);
    assert.equal(answers.filter((answer) => textOf(answer) === 'found once').length, 1);
    assert.equal((await earned()) - before, PRICE);
    const other = await pay(
      'wide',
      {},
      { ...(await credentialFor('wide')), payload: same.payload },
    );
    assert.equal(other.error?.code, -32_603);
    assert.equal(dataOf(other)?.['reason'], 'payment_used');
    assert.equal((await earned()) - before, PRICE);
  });

  it('and takes nothing for a credential of another tool, other arguments, or a tool that fails', async () => {
    const before = await earned();
    const credential = await credentialFor('search', { query: 'a' });
    for (const answer of [
      await pay('wide', {}, credential),
      await pay('search', { query: 'b' }, credential),
      await pay('search', { query: 'a' }, { ...credential, challenge: {} }),
    ]) {
      assert.ok([-32_043, -32_602].includes(answer.error?.code ?? 0), answer.body);
    }
    const failed = await pay('fails', {}, await credentialFor('fails'));
    assert.equal(failed.result?.isError, true);
    assert.equal(receiptOf(failed), undefined);
    assert.equal(await earned(), before);
  });

  it('and owes what the tool failed to do after the money was taken', async () => {
    const credential = await credentialFor('once');
    const failed = await pay('once', {}, credential);
    assert.deepEqual([failed.error?.code, dataOf(failed)?.['reason']], [-32_603, 'sale_owed']);
    const before = await earned();
    const again = await pay('once', {}, credential);
    assert.equal(textOf(again), 'at last');
    assert.equal(receiptOf(again)?.['status'], 'success');
    assert.equal(await earned(), before);
  });

  it('beside what a tool writes into its result, but not in place of the receipt', async () => {
    const answer = await pay('wide', {}, await credentialFor('wide'));
    assert.equal(answer.result?._meta?.['seen'], 1);
    assert.equal(receiptOf(answer)?.['status'], 'success');
  });

  it('to x402_call, which pays a seller of MPP alone', async () => {
    const before = await earned();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--pay', '--allow-unlimited', '--ceiling', '1'],
        env: {
          PATH: process.env['PATH'] ?? '',
          SVC_X402_DATA_DIR: folder.path,
          FACILITATOR_URL: stack.facilitator.url,
          STELLAR_RPC_URL: stack.rpcUrl,
          PAYER_SECRET: payer.secret,
        },
        stderr: 'pipe',
      }),
    );
    const call = (query: string, more: object = {}) =>
      client.callTool({
        name: 'x402_call',
        arguments: {
          ...{ url: `${alone.proxy.url}/mcp`, tool: 'search', arguments: { query } },
          ...{ maxAmount: '0.01', ...more },
        },
      });
    try {
      const bought = readCall(await call('agents'));
      assert.equal(bought.said.outcome, 'settled', bought.text);
      assert.match(bought.said.body ?? '', /found agents/);
      const withKey = readCall(await call('keys', { headers: { authorization: 'Bearer mine' } }));
      assert.equal(withKey.said.outcome, 'settled', withKey.text);
      const dear = readCall(await call('dear', { maxAmount: '0.009' }));
      assert.equal(dear.said.code, 'max_amount_exceeded', dear.text);
      assert.equal((await earned()) - before, 2n * PRICE);
    } finally {
      await client.close();
    }
  });

  const { MPPX_FOLDER } = process.env;
  const skip = MPPX_FOLDER ? false : 'MPPX_FOLDER names no folder with mppx from npm';
  it('to the official client with the wrapper of mppx, whatever it declared', {
    skip,
  }, async () => {
    const modules = join(MPPX_FOLDER ?? '', 'node_modules/mppx/dist');
    const { Method, Credential, z } = await import(join(modules, 'index.js'));
    const { McpClient } = await import(join(modules, 'mcp/client/index.js'));
    const charge = Method.from({
      ...{ name: 'stellar', intent: 'charge' },
      schema: {
        credential: { payload: z.object({ type: z.string(), transaction: z.string() }) },
        request: z.looseObject({ amount: z.string(), currency: z.string(), recipient: z.string() }),
      },
    });
    const method = Method.toClient(charge, {
      createCredential: async ({ challenge }: { challenge: object }) =>
        Credential.serialize(await sign(challenge)),
    });
    for (const [shop, capabilities] of [
      [both, {}],
      [both, PAYS_BY_MPP],
      [alone, {}],
      [alone, PAYS_BY_MPP],
    ] as const) {
      const before = await earned();
      const client = new Client({ name: 'stock', version: '1' }, { capabilities });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${shop.proxy.url}/mcp`)) as never,
      );
      McpClient.wrap(client, { methods: [method] });
      const bought = (await client.callTool({ name: 'search', arguments: { query: 'm' } })) as {
        content: { text: string }[];
        receipt?: { status: string; challengeId: string };
      };
      assert.equal(bought.content[0]?.text, 'found m');
      assert.equal(bought.receipt?.status, 'success');
      assert.equal((await earned()) - before, PRICE);
      await client.close();
    }
  });
});
